import { setTimeout as pause } from 'node:timers/promises'
import { createBatcher } from './batcher.ts'

export interface RestOptions {
  /** Milliseconds of a clock that only runs forwards. */
  now?: () => number
  sleep?: (ms: number) => Promise<unknown>
}

/** Rest after work, as a multiple of what the work took: it takes a fifth of the time at most. */
const REST_FACTOR = 4
const MAX_REST_MS = 2_000

/**
 * Work that strangers may ask for one time after the other: it rests after it worked, so that it leaves most of the time
 * to others, and whoever asks meanwhile waits. Who asks after a pause does not wait.
 */
function resting<Result>(work: () => Promise<Result>, options: RestOptions = {}): () => Promise<Result> {
  const { now = () => performance.now(), sleep = pause } = options
  let restsUntil = Number.NEGATIVE_INFINITY

  async function measured(): Promise<Result> {
    const startedAt = now()
    try {
      return await work()
    } finally {
      const endedAt = now()
      restsUntil = endedAt + Math.min(MAX_REST_MS, (endedAt - startedAt) * REST_FACTOR)
    }
  }

  return () => {
    const wait = restsUntil - now()
    return wait > 0 ? sleep(wait).then(measured) : measured()
  }
}

/** One costly reading for all who ask at the same time: it begins after all of them asked, and rests before the next. */
export function sharedReading<Result>(read: () => Promise<Result>, options: RestOptions = {}): () => Promise<Result> {
  const rested = resting(read, options)
  const ask = createBatcher<null, { result: Promise<Result> }>({
    maxBatch: Number.POSITIVE_INFINITY,
    async run(items) {
      const result = rested()
      // A failure is every caller's own, and no reason to read again for each of them.
      await result.catch(() => {})
      return items.map(() => ({ result }))
    },
  })
  return async () => (await ask(null)).result
}

/**
 * Computes when asked, at most once in `freshMs`, and for all who ask at the same time together: what strangers may ask for
 * as often as they like then costs what asking once costs. A failure is not kept.
 */
export function keptFresh<Result>(
  compute: () => Promise<Result>,
  { freshMs, now }: { freshMs: number; now: () => number },
): () => Promise<Result> {
  let latest: { result: Promise<Result>; endedAt: number | null } | null = null
  return () => {
    // A clock that was set back must not keep what is old for hours.
    const isOld = latest?.endedAt != null && Math.abs(now() - latest.endedAt) >= freshMs
    if (latest && !isOld) return latest.result
    const own: NonNullable<typeof latest> = { result: compute(), endedAt: null }
    latest = own
    own.result.then(
      () => (own.endedAt = now()),
      () => (latest = null),
    )
    return own.result
  }
}
