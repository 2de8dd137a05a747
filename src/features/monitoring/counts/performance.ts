import type { RouterTier } from '../../../ai/model/port.ts'
import type { TierCounter } from '../../../ai/model/tiers.ts'
import { sharedReading } from '../../../kernel/shared-reading.ts'
import { type CountersOptions, createCounters } from './counters.ts'

export interface PerformanceOptions extends CountersOptions {
  /** The sliding window of the metrics, in milliseconds. */
  windowMs: number
  /** The reply cache of this replica as it is now, and what it may grow to. */
  cache: () => { entries: number; capacity: number; ttlSeconds: number }
  /** Told of every routed reply. */
  onTier?: (tier: RouterTier) => void
}

/** A request that is being answered; call it once, when the response has ended. */
export type EndRequest = (status: number) => void

export type Performance = ReturnType<typeof createPerformance>

const TIERS: readonly RouterTier[] = ['extractive', 'light', 'standard', 'strong']
/** Of what is answered to customers; uploads take as long as they are large and would hide it. */
const CUSTOMER_ROUTES = new Set(['POST /api/v1/chat', 'POST /api/v1/chat/stream', 'POST /api/v1/gateway'])

/** Counts of what all replicas did. */
export function createPerformance({ windowMs, cache, onTier, ...options }: PerformanceOptions) {
  const { clock } = options
  const counters = createCounters(options)
  let concurrent = 0

  return {
    counters,
    /** Which tier made a reply. */
    tiers: {
      count(tier): void {
        counters.add('tier', tier)
        onTier?.(tier)
      },
    } satisfies TierCounter,

    /** @param route the pattern that matched, such as `/api/v1/chat` */
    beginRequest({ method, route }: { method: string; route: string }): EndRequest {
      const startedAt = clock.now()
      concurrent += 1
      return (status) => {
        concurrent -= 1
        counters.add('request', status >= 500 ? 'failed' : 'done')
        const isReply = CUSTOMER_ROUTES.has(`${method} ${route}`) && status < 400
        if (isReply) counters.add('response', 'ms', clock.now() - startedAt)
      }
    },

    metrics: sharedReading(async () => {
      const { count, total } = await counters.window(windowMs)
      return {
        /** 0..1; 0 while nothing was looked up. */
        cacheHitRate: rate(count('cache', 'hit'), count('cache', 'hit') + count('cache', 'miss')),
        concurrentRequests: concurrent,
        modelRouterStats: Object.fromEntries(TIERS.map((tier) => [tier, count('tier', tier)])),
        /** 0 while nothing was answered. */
        avgResponseMs: rate(total('response', 'ms'), count('response', 'ms')),
        windowSeconds: windowMs / 1_000,
      }
    }),

    async cacheStats() {
      const { count } = await counters.totals('cache')
      const [hits, misses] = [count('cache', 'hit'), count('cache', 'miss')]
      return { hits, misses, hitRate: rate(hits, hits + misses), evictions: count('cache', 'eviction'), ...cache() }
    },

    close: counters.close,
  }
}

/** 0 when there is no whole. */
function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
