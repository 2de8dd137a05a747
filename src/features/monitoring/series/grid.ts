import { AppError } from '../../../kernel/errors.ts'
import { type Level, ORIGIN_MS, type Span, STEPS } from './queries.ts'

/** Lengths that the buckets of a chart may have, in seconds. */
export const STEP_SECONDS = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3_600,
  '6h': 21_600,
  '1d': 86_400,
  '1w': 604_800,
} as const
export type StepName = keyof typeof STEP_SECONDS

/** Where the buckets of a series begin, and of which kept ones they are made. */
export interface Grid extends Span {
  level: Level
  step: StepName
  stepSeconds: number
  offsetMinutes: number
  buckets: Date[]
}

export const MAX_POINTS = 1_000
/** As many points as a chart shows well; a step that was not asked for makes no more. */
const USUAL_POINTS = 200
const DAY_MS = 86_400_000
/** So long is each level kept; days stay as long as the retention says. */
export const KEPT_MS: Readonly<Record<Exclude<Level, 'day'>, number>> = { minute: 3 * DAY_MS, hour: 92 * DAY_MS }

/**
 * The buckets that hold a time. Throws invalid where they would be too many, or finer than what is kept.
 *
 * @param offsetMinutes how far local time is ahead of UTC: where local days begin
 */
export function layGrid(span: Partial<Span>, step: StepName | undefined, offsetMinutes: number, now: number): Grid {
  const to = span.to?.getTime() ?? now
  const from = span.from?.getTime() ?? to - DAY_MS
  const age = now - from
  const chosen = step ?? chooseStep(to - from, age, offsetMinutes)
  const stepSeconds = STEP_SECONDS[chosen]
  const level = levelFor(stepSeconds, age, offsetMinutes)
  if (!level) {
    const zone = offsetMinutes === 0 ? '' : ' in this zone'
    throw new AppError(
      'invalid',
      'step',
      `step: buckets of ${chosen}${zone} are not kept for so long; ask for longer ones`,
    )
  }
  const stepMs = stepSeconds * 1_000
  const origin = ORIGIN_MS - offsetMinutes * 60_000
  const first = Math.floor((from - origin) / stepMs) * stepMs + origin
  const count = Math.max(1, Math.ceil((to - first) / stepMs))
  if (count > MAX_POINTS) {
    throw new AppError('invalid', 'step', `step: ${chosen} makes ${count} points of this time, more than ${MAX_POINTS}`)
  }
  const buckets = Array.from({ length: count }, (_, index) => new Date(first + index * stepMs))
  const end = new Date(first + count * stepMs)
  return { from: new Date(first), to: end, level, step: chosen, stepSeconds, offsetMinutes, buckets }
}

/** The coarsest kept buckets of which longer ones can be made; undefined: they are gone. */
function levelFor(stepSeconds: number, age: number, offsetMinutes: number): Level | undefined {
  const fits = (level: Level) =>
    stepSeconds % STEPS[level] === 0 &&
    (offsetMinutes * 60) % STEPS[level] === 0 &&
    (level === 'day' || age <= KEPT_MS[level])
  return (['day', 'hour', 'minute'] as const).find(fits)
}

/** The finest buckets that are still kept of all of a time that began so long ago. */
export function finestLevel(age: number): Level {
  if (age <= KEPT_MS.minute) return 'minute'
  return age <= KEPT_MS.hour ? 'hour' : 'day'
}

/** The grid where local days are still kept; else days of UTC, which are all that is left of so long ago. */
export function layGridOrUtc(
  span: Partial<Span>,
  step: StepName | undefined,
  offsetMinutes: number,
  now: number,
): Grid {
  const begin = span.from?.getTime() ?? now
  const isLocal = step === undefined || levelFor(STEP_SECONDS[step], now - begin, offsetMinutes) !== undefined
  return layGrid(span, step, isLocal ? offsetMinutes : 0, now)
}

function chooseStep(lengthMs: number, age: number, offsetMinutes: number): StepName {
  const names = Object.keys(STEP_SECONDS) as StepName[]
  const fits = (name: StepName) => {
    const seconds = STEP_SECONDS[name]
    return lengthMs / 1_000 / seconds <= USUAL_POINTS && levelFor(seconds, age, offsetMinutes) !== undefined
  }
  return names.find(fits) ?? '1w'
}
