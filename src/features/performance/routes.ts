import { open } from '../../http/auth.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { CacheStatsBody, InvalidateBody, MetricsBody } from './schemas.ts'
import type { Performance } from './service.ts'

const tags = ['performance']

type Watched = Pick<Performance<object>, 'metrics' | 'cacheStats' | 'invalidate'>

export function performanceRoutes(
  app: App,
  { performance, windowMs }: { performance: Watched; windowMs: number },
): void {
  app.get(
    '/api/v1/performance/metrics',
    {
      config: open,
      schema: {
        summary: 'How fast, how busy, how often from the cache',
        description: 'Over a sliding window and all replicas, in steps of ten seconds.',
        tags,
        response: { 200: MetricsBody, ...errors(503) },
      },
    },
    async () => {
      const { cacheHitRate, concurrentRequests, modelRouterStats, avgResponseMs } = await performance.metrics()
      return {
        metrics: {
          cache_hit_rate: cacheHitRate,
          concurrent_requests: concurrentRequests,
          model_router_stats: modelRouterStats,
          avg_response_ms: avgResponseMs,
          window_seconds: windowMs / 1_000,
        },
      }
    },
  )

  app.get(
    '/api/v1/performance/cache/stats',
    { config: open, schema: { summary: 'The reply cache', tags, response: { 200: CacheStatsBody, ...errors(503) } } },
    async () => {
      const { hitRate, ttlSeconds, ...rest } = await performance.cacheStats()
      return { ...rest, hit_rate: hitRate, ttl_seconds: ttlSeconds }
    },
  )

  app.post(
    '/api/v1/performance/cache/invalidate',
    {
      config: open,
      schema: {
        summary: 'Drop every cached reply, on every replica',
        description: 'Never needed for correctness: a change of the knowledge base or the tuner does the same.',
        tags,
        response: { 200: InvalidateBody, ...errors(503) },
      },
    },
    async ({ caller, log }) => {
      const cleared = await performance.invalidate()
      log.warn({ cleared, isTrusted: caller.isTrusted }, 'The reply cache was cleared by hand')
      return {
        success: true,
        cleared,
        message: `${cleared} cached ${cleared === 1 ? 'reply was' : 'replies were'} dropped`,
      }
    },
  )
}
