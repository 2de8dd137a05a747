/**
 * Lets one holder per key work at a time, first come, first served. `acquire` resolves with the function that gives the
 * key to the next one.
 */
export function createKeyedMutex() {
  const tails = new Map<string, Promise<void>>()
  return {
    async acquire(key: string): Promise<() => void> {
      const before = tails.get(key)
      const { promise: tail, resolve: open } = Promise.withResolvers<void>()
      tails.set(key, tail)
      await before
      return () => {
        if (tails.get(key) === tail) tails.delete(key)
        open()
      }
    },
  }
}
