/**
 * Lets one holder per key work at a time, first come, first served. `acquire` resolves with the function that gives the
 * key to the next one.
 */
export interface KeyedQueue {
  acquire(key: string): Promise<() => void>
}

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<void>>()
  return {
    async acquire(key) {
      const before = tails.get(key)
      let open = (): void => {}
      const tail = new Promise<void>((resolve) => {
        open = resolve
      })
      tails.set(key, tail)
      await before
      return () => {
        if (tails.get(key) === tail) tails.delete(key)
        open()
      }
    },
  }
}
