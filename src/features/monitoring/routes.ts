import { open } from '../../http/auth.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { type AlertParts, alertRoutes } from './alerts/routes.ts'
import type { Breakers } from './breakers.ts'
import type { runChecklist } from './checks/checklist.ts'
import type { createHealth } from './checks/health.ts'
import type { Performance } from './counts/performance.ts'
import type { DashboardReader } from './dashboard/dashboard.ts'
import {
  BreakerBody,
  BreakerParams,
  BreakersBody,
  CacheStatsBody,
  ChecklistBody,
  DashboardBody,
  DashboardQuery,
  HealthBody,
  InvalidateBody,
  LivenessBody,
  MetricsBody,
  UsageBody,
  UsageQuery,
} from './schemas.ts'
import { type SeriesParts, seriesRoutes } from './series/routes.ts'
import { type TraceParts, traceRoutes } from './traces/routes.ts'
import type { Usage, UsageSum } from './usage/usage.ts'
import { withholdError } from './withheld.ts'

export interface MonitoringParts extends TraceParts, SeriesParts, AlertParts {
  performance: Pick<Performance, 'metrics' | 'cacheStats'>
  /** Clears the cache of every replica; returns how many replies this one dropped. */
  invalidateCache: () => Promise<number>
  breakers: Breakers
  usage: Pick<Usage, 'report'>
  health: ReturnType<typeof createHealth>
  dashboard: DashboardReader
  releaseChecklist: () => ReturnType<typeof runChecklist>
  /** Metrics for Prometheus. */
  metrics: { readonly contentType: string; render(): Promise<string> }
}

export function monitoringRoutes(app: App, parts: MonitoringParts): void {
  performanceRoutes(app, parts)
  breakerRoutes(app, parts)
  alertRoutes(app, parts)
  observabilityRoutes(app, parts)
  traceRoutes(app, parts)
  operationsRoutes(app, parts)
  seriesRoutes(app, parts)

  // Of this replica alone: Prometheus asks each one itself.
  app.get('/metrics', { config: open, schema: { hide: true } }, async (_request, reply) => {
    const text = await parts.metrics.render()
    return reply.type(parts.metrics.contentType).send(text)
  })
}

/** Liveness only: it answers while the process can answer, whatever its dependencies do. */
export function livenessRoute(app: App, about: { name: string; version: string }): void {
  const schema = { summary: 'Liveness probe', tags: ['health'], response: { 200: LivenessBody } }
  app.get('/api/v1/health', { schema, config: { ...open, isPublic: true } }, async () => ({
    status: 'ok',
    app: about.name,
    version: about.version,
    timestamp: new Date().toISOString(),
  }))
}

function performanceRoutes(app: App, { performance, invalidateCache }: MonitoringParts): void {
  const tags = ['performance']
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
    async () => ({ metrics: toSnakeCase(await performance.metrics()) }),
  )

  app.get(
    '/api/v1/performance/cache/stats',
    { config: open, schema: { summary: 'The reply cache', tags, response: { 200: CacheStatsBody, ...errors(503) } } },
    async () => toSnakeCase(await performance.cacheStats()),
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
      const cleared = await invalidateCache()
      log.warn({ cleared, isTrusted: caller.isTrusted }, 'The reply cache was cleared by hand')
      const message = `${cleared} cached ${cleared === 1 ? 'reply was' : 'replies were'} dropped`
      return { success: true, cleared, message }
    },
  )
}

function breakerRoutes(app: App, { breakers }: MonitoringParts): void {
  const tags = ['observability']
  app.get(
    '/api/v1/observability/circuit-breakers',
    { config: open, schema: { summary: 'Circuit breakers by name', tags, response: { 200: BreakersBody } } },
    async ({ caller }) => {
      const stats = Object.entries(breakers.stats())
      return Object.fromEntries(stats.map(([name, each]) => [name, caller.isTrusted ? each : withholdError(each)]))
    },
  )

  app.post(
    '/api/v1/observability/circuit-breakers/:name/reset',
    {
      config: open,
      schema: {
        summary: 'Set a circuit breaker to CLOSED, on every replica',
        tags,
        params: BreakerParams,
        response: { 200: BreakerBody, ...errors(404, 422, 503) },
      },
    },
    async ({ params: { name }, caller, log }) => {
      const stats = await breakers.reset(name)
      log.warn({ breaker: name, isTrusted: caller.isTrusted }, 'A circuit breaker was reset by hand')
      return { name, ...(caller.isTrusted ? stats : withholdError(stats)) }
    },
  )
}

function observabilityRoutes(app: App, { health, usage }: MonitoringParts): void {
  const tags = ['observability']
  app.get(
    '/api/v1/observability/health',
    {
      config: open,
      schema: {
        summary: 'Every health check',
        description:
          'Always 200: what is wrong stands in the body. Endpoints of models are asked whether they are there, at most every ten ' +
          'seconds and never for anything that costs; the shop’s own systems are judged by what their calls came to.',
        tags,
        response: { 200: HealthBody },
      },
    },
    async () => toSnakeCase(await health()),
  )

  app.get(
    '/api/v1/observability/token-usage',
    {
      config: open,
      schema: {
        summary: 'Tokens, calls and costs in the last minute, hour or day',
        tags,
        querystring: UsageQuery,
        response: { 200: UsageBody, ...errors(400, 503) },
      },
    },
    async ({ query: { window } }) => {
      const { total, byModel, byAgent, ...rest } = await usage.report(window)
      const sums = { total: presentSum(total), by_model: presentSums(byModel), by_agent: presentSums(byAgent) }
      return { window, ...toSnakeCase(rest), ...sums }
    },
  )
}

function operationsRoutes(app: App, { dashboard, releaseChecklist }: MonitoringParts): void {
  const tags = ['operations']
  app.get(
    '/api/v1/operations/dashboard',
    {
      config: open,
      schema: {
        summary: 'How the service does, at most 30 seconds old',
        tags,
        querystring: DashboardQuery,
        response: { 200: DashboardBody, ...errors(422, 503) },
      },
    },
    async ({ query }) => toSnakeCase(await dashboard.read({ forceRefresh: query.force_refresh })),
  )

  app.get(
    '/api/v1/operations/release-checklist',
    {
      config: open,
      schema: {
        summary: 'What must be right before customers come',
        description: 'Every check really checks, by itself and within five seconds.',
        tags,
        response: { 200: ChecklistBody },
      },
    },
    () => releaseChecklist(),
  )
}

function presentSums(sums: Record<string, UsageSum>) {
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, presentSum(sum)]))
}

function presentSum({ cost, ...sum }: UsageSum) {
  // Sums of prices per million tokens have no more digits than this; the rest is noise of binary fractions.
  return { ...toSnakeCase(sum), cost: cost === null ? null : Math.round(cost * 1e9) / 1e9 }
}
