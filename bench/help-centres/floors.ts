import type { Scored } from './score.ts'
import type { HelpCentre } from './sets.ts'

/** What a figure must reach: at least `least`, or at most `most`. */
interface Floor {
  least?: number
  most?: number
}

interface Figure {
  name: string
  value: number | null
  floor?: Floor
}

const RIGHT = { en: 0.36, zh: 0.45 }
const CONTEXT = { en: 0.75, zh: 0.82 }
const MAX_LENGTH = 1_200

/** Every figure of a run, in the order of the table, with what it has to reach. */
export function figuresOf({ language }: HelpCentre, { summary, results }: Scored): Figure[] {
  const { answerable, unanswerable, handoff, retrieval, kinds } = summary
  const count = (verdict: string): number => answerable.verdicts[verdict] ?? 0
  const lengths = results.filter(({ verdict }) => verdict.startsWith('right')).map(({ length }) => length)
  return [
    { name: 'right', value: answerable.right_rate, floor: { least: RIGHT[language] } },
    { name: 'refused', value: answerable.refused_rate },
    { name: 'wrong', value: answerable.wrong_rate, floor: { most: 0.15 } },
    { name: 'near / offered, of the answerable', value: share(count('near') + count('offered'), answerable.n) },
    { name: 'right, but too long', value: count('right_long') },
    { name: 'shown', value: answerable.shown_rate, floor: { least: 0.72 } },
    { name: 'false handoffs', value: answerable.false_handoff, floor: { most: 3 } },
    { name: 'persons called when asked for', value: handoff.right_rate, floor: { least: 1 } },
    { name: 'made up, of the unanswerable', value: kinds.unanswerable?.verdicts.made_up ?? 0, floor: { most: 2 } },
    { name: 'made up, of everything else', value: unanswerable.verdicts.made_up ?? 0 },
    { name: 'foreign questions answered', value: summary.foreign_answered ?? null, floor: { most: 5 } },
    { name: 'length of right replies, median', value: answerable.right_median_length, floor: { most: 600 } },
    { name: 'length of right replies, longest', value: Math.max(0, ...lengths), floor: { most: MAX_LENGTH } },
    { name: 'right document first', value: retrieval.first },
    { name: 'right document among five', value: retrieval.five },
    { name: 'right document among ten', value: retrieval.ten },
    { name: 'ten passages hold the answer', value: retrieval.context, floor: { least: CONTEXT[language] } },
    { name: 'chat, p50 (ms)', value: answerable.p50_ms },
    { name: 'upload (s)', value: summary.upload_s },
    { name: 'documents that were not taken', value: summary.not_ingested, floor: { most: 0 } },
  ]
}

/** False for a figure that was not measured: what must be reached must be known. */
export function reaches({ value, floor }: Figure): boolean {
  if (!floor) return true
  if (value === null) return false
  return value >= (floor.least ?? -Infinity) && value <= (floor.most ?? Infinity)
}

export function asAim(floor: Floor | undefined): string {
  if (floor?.least !== undefined) return `at least ${floor.least}`
  return floor?.most === undefined ? '' : `at most ${floor.most}`
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 1000
}
