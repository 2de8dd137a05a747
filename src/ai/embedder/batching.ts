/** Groups of positions whose texts together stay within both limits; a text over the token limit is a group alone. */
export function planBatches(tokens: readonly number[], maxTexts: number, maxTokens: number): number[][] {
  const batches: number[][] = []
  let batch: number[] = []
  let batchTokens = 0
  for (const [position, size] of tokens.entries()) {
    if (batch.length >= maxTexts || (batch.length > 0 && batchTokens + size > maxTokens)) {
      batches.push(batch)
      batch = []
      batchTokens = 0
    }
    batch.push(position)
    batchTokens += size
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

/** Lets at most `limit` tasks run at once; the others wait in order. */
export function createLimiter(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The place goes straight to the next in line; only without one is it free.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
