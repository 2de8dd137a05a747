import { open } from '../../http/auth.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Pseudonym } from '../../kernel/pseudonym.ts'
import { parseTimestamp } from '../../kernel/time.ts'
import { presentAlert, presentUsage } from './present.ts'
import {
  AlertsBody,
  AlertsQuery,
  BreakerBody,
  BreakerParams,
  BreakersBody,
  HealthBody,
  UsageBody,
  UsageQuery,
} from './schemas.ts'
import type { Observability } from './service.ts'
import { withholdDetails, withholdError } from './withheld.ts'

const tags = ['observability']

export interface ObservabilityParts {
  observability: Observability
  /** For the ids of sessions where a key is set and not sent. */
  pseudonym: Pseudonym
}

export function observabilityRoutes(app: App, { observability, pseudonym }: ObservabilityParts): void {
  breakerRoutes(app, observability)

  app.get(
    '/api/v1/observability/alerts',
    {
      config: open,
      schema: {
        summary: 'Alerts, newest first',
        description:
          'The same trouble is one alert that counts up; `resolved_at` says when it was over. Where a key is set and ' +
          'not sent, details hold no texts of others.',
        tags,
        querystring: AlertsQuery,
        response: { 200: AlertsBody, ...errors(400, 422, 503) },
      },
    },
    async ({ query: { level = null, source = null, since, limit }, caller }) => {
      const alerts = await observability.alerts.list({ level, source, since: parseSince(since), limit })
      return alerts.map((alert) => presentAlert(caller.isTrusted ? alert : withholdDetails(alert, pseudonym)))
    },
  )

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
    async () => {
      const { status, checks, checkedAt } = await observability.health()
      return {
        status,
        checks: checks.map(({ latencyMs, ...check }) => ({ ...check, latency_ms: latencyMs })),
        checked_at: checkedAt.toISOString(),
      }
    },
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
    async ({ query: { window } }) => ({ window, ...presentUsage(await observability.usage.report(window)) }),
  )
}

function breakerRoutes(app: App, observability: Observability): void {
  app.get(
    '/api/v1/observability/circuit-breakers',
    { config: open, schema: { summary: 'Circuit breakers by name', tags, response: { 200: BreakersBody } } },
    async ({ caller }) => {
      const stats = Object.entries(observability.breakers())
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
      const stats = await observability.resetBreaker(name)
      log.warn({ breaker: name, isTrusted: caller.isTrusted }, 'A circuit breaker was reset by hand')
      return { name, ...(caller.isTrusted ? stats : withholdError(stats)) }
    },
  )
}

/** The blank: a plus sign that was not URL-encoded, as in `+00:00`. */
function parseSince(text: string | undefined): Date | null {
  if (text === undefined) return null
  const since = parseTimestamp(text.replace(/(?<=T.{0,30}) (?=\d{2}:?\d{2}$)/, '+'))
  if (!since) throw new AppError('bad_request', 'since', 'since: must be a date or time in ISO 8601')
  return since
}
