import { oneAtATime } from '../../kernel/one-at-a-time.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { addCounts, readTotals, sumBuckets } from './queries.ts'
import type { BucketCount, Count } from './types.ts'

/** Counts events of all replicas: in memory at once, in the database a moment later. */
export interface Counters {
  /** Counts one event; `value` is what it measured, such as its duration. */
  add(name: string, label: string, value?: number): void
  /** What all replicas counted in the last `windowMs`, rounded up to whole buckets of ten seconds; own counts included. */
  window(windowMs: number): Promise<Count[]>
  /** What all replicas counted since the first start. */
  totals(name: string): Promise<Count[]>
  close(): Promise<void>
}

export interface CountersOptions {
  db: Database
  clock: Clock
  log: { warn(details: object, message: string): void }
  /** Between writes, in milliseconds. Default 1,000. */
  intervalMs?: number
}

const BUCKET_MS = 10_000
/** Some hours of every counter there is; while the database is away for longer, further buckets are not begun. */
const MAX_WAITING = 20_000

export function createCounters({ db, clock, log, intervalMs = 1_000 }: CountersOptions): Counters {
  let waiting = new Map<string, BucketCount>()
  const inTurn = oneAtATime()

  /** @param bucketMs when the bucket begins */
  function merge(bucketMs: number, { name, label, count, total }: Count): void {
    const key = `${bucketMs} ${name} ${label}`
    const known = waiting.get(key)
    if (known) {
      known.count += count
      known.total += total
    } else if (waiting.size < MAX_WAITING) {
      waiting.set(key, { bucketAt: new Date(bucketMs), name, label, count, total })
    }
  }

  async function write(): Promise<void> {
    if (waiting.size === 0) return
    const batch = [...waiting.values()]
    waiting = new Map()
    try {
      await addCounts(db.executor, batch)
    } catch (error) {
      for (const each of batch) merge(each.bucketAt.getTime(), each)
      log.warn({ err: error }, 'Counts could not be stored yet')
    }
  }
  const flush = (): Promise<void> => inTurn(write)

  const timer = setInterval(() => void flush(), intervalMs)
  timer.unref()
  return {
    add(name, label, value = 0) {
      merge(Math.floor(clock.now() / BUCKET_MS) * BUCKET_MS, { name, label, count: 1, total: value })
    },
    async window(windowMs) {
      await flush()
      return sumBuckets(db.executor, new Date(clock.now() - windowMs - BUCKET_MS))
    },
    async totals(name) {
      await flush()
      return readTotals(db.executor, name)
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
