import { setImmediate as nextTurn } from 'node:timers/promises'
import { isUnavailable } from './errors.ts'

/**
 * Does many small pieces of work together: what arrives in one turn of the event loop, or while a batch is under way,
 * makes up the next one, so that a lone item is not delayed and a crowd shares the cost. `run` answers each item in the
 * order given.
 */
export interface BatcherOptions<Item, Result> {
  run(items: readonly Item[]): Promise<readonly Result[]>
  /** Items of one batch. */
  maxBatch: number
  /** Batches under way at a time; default 1. */
  concurrency?: number
}

/**
 * Resolves with the item's own result. Where a batch fails, its items are tried one by one, so that each gets its own
 * error; but not while what it needs is unavailable, which holds for all of them.
 */
export type Batched<Item, Result> = (item: Item) => Promise<Result>

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batched<Item, Result> {
  const { run, maxBatch, concurrency = 1 } = options
  const queue: Waiting<Item, Result>[] = []
  let running = 0

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, i) => {
        resolve(results[i] as Result)
      })
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
      else for (const single of batch) await runBatch([single])
    }
  }

  async function drain(): Promise<void> {
    running++
    for (;;) {
      // Those who got an answer a moment ago come back with the next request: let them be read first.
      await nextTurn()
      if (queue.length === 0) break
      await runBatch(queue.splice(0, maxBatch))
    }
    running--
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (running < concurrency) void drain()
    })
}
