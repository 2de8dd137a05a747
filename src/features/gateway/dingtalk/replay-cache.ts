import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock.ts'
import { MAX_CLOCK_SKEW_MS } from '../callback-guard.ts'

/** Remembers message ids, because the signature covers the time alone and a recorded body could be sent again. */
export type ReplayCache = {
  /** True the first time an id is seen, false for the rest of its validity. */
  claim(messageId: string): boolean
  /** Gives an id back after its handling failed, so that the platform's retry is not taken for a replay. */
  release(messageId: string): void
}

/**
 * An id is kept for twice the permitted skew: a request stamped an hour ahead of us stays valid that long. `maxEntries` bounds
 * the memory (about 100 bytes each); the durable answer to duplicates across replicas is the stored message id.
 */
export function createReplayCache(options: { clock: Clock; maxEntries?: number }): ReplayCache {
  const seen = new LRUCache<string, true>({
    max: options.maxEntries ?? 100_000,
    ttl: 2 * MAX_CLOCK_SKEW_MS,
    ttlResolution: 0,
    perf: options.clock,
  })
  return {
    claim(messageId) {
      if (seen.has(messageId)) return false
      seen.set(messageId, true)
      return true
    },
    release: (messageId) => void seen.delete(messageId),
  }
}
