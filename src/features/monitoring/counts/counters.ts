import pLimit from 'p-limit'
import type { Log } from '../../../kernel/log.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { addCounts, type BucketCount, type Count, readTotals, sumBuckets } from './queries.ts'

/** How often something was counted under a label, and the sum of the values that came with it; 0 for what never was. */
export interface Tally {
  count(name: string, label: string): number
  total(name: string, label: string): number
}

export interface CountersOptions {
  db: Database
  clock: Clock
  log: Log
  /** Between writes, in milliseconds. Default 1,000. */
  intervalMs?: number
}

const BUCKET_MS = 10_000
/** Some hours of every counter there is; while the database is away for longer, further buckets are not begun. */
const MAX_WAITING = 20_000

/** Counts events of all replicas: in memory at once, in the database a moment later. */
export function createCounters({ db, clock, log, intervalMs = 1_000 }: CountersOptions) {
  let waiting = new Map<string, BucketCount>()
  const inTurn = pLimit(1)

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
    /** Counts one event; `value` is what it measured, such as its duration. */
    add(name: string, label: string, value = 0): void {
      merge(Math.floor(clock.now() / BUCKET_MS) * BUCKET_MS, { name, label, count: 1, total: value })
    },
    /**
     * Counts of all replicas in the last `windowMs`, rounded up to whole buckets of ten seconds; own counts included.
     */
    async window(windowMs: number): Promise<Tally> {
      await flush()
      return tallyOf(await sumBuckets(db.executor, new Date(clock.now() - windowMs - BUCKET_MS)))
    },
    /** Counts of all replicas since the first start. */
    async totals(name: string): Promise<Tally> {
      await flush()
      return tallyOf(await readTotals(db.executor, name))
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}

function tallyOf(counts: readonly Count[]): Tally {
  const find = (name: string, label: string) => counts.find((each) => each.name === name && each.label === label)
  return {
    count: (name, label) => find(name, label)?.count ?? 0,
    total: (name, label) => find(name, label)?.total ?? 0,
  }
}
