import { isUnavailable } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'

export interface BatchWriterOptions<T> {
  /** Named in the log. */
  name: string
  write: (items: readonly T[]) => Promise<void>
  /** Items that may wait; what comes when so many do is dropped and counted. Default 10,000. */
  maxQueued?: number
  /** Items of one write; as soon as so many wait they are written. Default 200. */
  maxBatch?: number
  /** Longest time that an item waits while writing works, in milliseconds. Default 1,000. */
  intervalMs?: number
  log: Log
}

export type BatchWriter<T> = ReturnType<typeof createBatchWriter<T>>

/** Takes items at once and writes them later, many at a time, so that whoever hands one over neither waits nor fails. */
export function createBatchWriter<T>(options: BatchWriterOptions<T>) {
  const { name, write, maxQueued = 10_000, maxBatch = 200, intervalMs = 1_000, log } = options
  let queue: T[] = []
  let dropped = 0
  let running: Promise<boolean> | null = null
  /** The items that wait were tried in vain; the timer tries again, not every item that comes. */
  let isHeldUp = false
  const timer = setInterval(() => void flush(), intervalMs)
  timer.unref()

  function drop(count: number, error: unknown): void {
    dropped += count
    log.warn({ err: error, name, count, dropped }, 'Records could not be written and were dropped')
  }

  /** Writes a batch, or what of it is not at fault; returns what has to wait. */
  async function writeBatch(batch: readonly T[]): Promise<readonly T[]> {
    try {
      await write(batch)
      return []
    } catch (error) {
      if (isUnavailable(error)) return batch
      if (batch.length > 1) return writeOneByOne(batch)
      drop(1, error)
      return []
    }
  }

  /** One bad record must not take the others with it. */
  async function writeOneByOne(batch: readonly T[]): Promise<readonly T[]> {
    for (const [index, item] of batch.entries()) {
      const waiting = await writeBatch([item])
      if (waiting.length > 0) return batch.slice(index)
    }
    return []
  }

  /** True when the queue is empty, false when it cannot be written at the moment. */
  async function drain(): Promise<boolean> {
    while (queue.length > 0) {
      const waiting = await writeBatch(queue.splice(0, maxBatch))
      if (waiting.length === 0) continue
      queue = [...waiting, ...queue]
      return false
    }
    return true
  }

  function drainOnce(): Promise<boolean> {
    running ??= drain()
      .then((isDone) => {
        isHeldUp = !isDone
        return isDone
      })
      .finally(() => {
        running = null
      })
    return running
  }

  /** Resolves when everything pushed before was written, dropped, or cannot be written at the moment. Never rejects. */
  async function flush(): Promise<void> {
    // A run that was under way may have seen the queue empty just before the last push.
    if ((await drainOnce()) && queue.length > 0) await drainOnce()
  }

  return {
    push(item: T): void {
      if (queue.length < maxQueued) queue.push(item)
      else dropped += 1
      if (queue.length >= maxBatch && !running && !isHeldUp) void drainOnce()
    },
    flush,
    /** Flushes and stops the timer. */
    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
    /** `dropped`: since the start of the process. */
    stats: () => ({ queued: queue.length, dropped }),
  }
}
