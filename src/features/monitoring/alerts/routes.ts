import type { FastifyRequest } from 'fastify'
import { open } from '../../../http/auth.ts'
import { noteChange } from '../../../http/changes.ts'
import { parseMoment } from '../../../http/period.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Pseudonym } from '../../../kernel/pseudonym.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import { parseTimestamp } from '../../../kernel/time.ts'
import type { Clock } from '../../../platform/clock.ts'
import { withholdDetails } from '../withheld.ts'
import type { Alerts } from './alerts.ts'
import { AcknowledgeBody, AlertBody, AlertParams, AlertsBody, AlertsQuery, SilenceBody } from './schemas.ts'
import { type Alert, alertState } from './types.ts'

const tags = ['observability']
const ALERT = '/api/v1/observability/alerts/:alert_id'
const MINUTE_MS = 60_000
const MAX_SILENCE_MS = 30 * 24 * 60 * MINUTE_MS

export interface AlertParts {
  alerts: Pick<Alerts, 'list' | 'acknowledge' | 'silence' | 'unsilence'>
  clock: Clock
  pseudonym: Pseudonym
}

export function alertRoutes(app: App, parts: AlertParts): void {
  listRoute(app, parts)
  acknowledgeRoute(app, parts)
  silenceRoutes(app, parts)
}

function listRoute(app: App, { alerts, pseudonym }: AlertParts): void {
  app.get(
    '/api/v1/observability/alerts',
    {
      config: open,
      schema: {
        summary: 'Alerts, newest first',
        description:
          'The same trouble is one alert that counts up; `resolved_at` says when it was over. Silenced ones that are not over are ' +
          'listed with `state=silenced` alone. Where a key is set and not sent, details hold no texts of others.',
        tags,
        querystring: AlertsQuery,
        response: { 200: AlertsBody, ...errors(400, 422, 503) },
      },
    },
    async ({ query: { level = null, source = null, state = null, since: text, limit }, caller }) => {
      const since = text === undefined ? null : parseMoment('since', text)
      const found = await alerts.list({ level, source, state, since, limit })
      return found.map((alert) => present(caller.isTrusted ? alert : withholdDetails(alert, pseudonym)))
    },
  )
}

function acknowledgeRoute(app: App, { alerts }: AlertParts): void {
  app.post(
    `${ALERT}/acknowledge`,
    {
      schema: {
        summary: 'Say that somebody looks after an alert',
        description:
          'It goes on being shown and counted. Again: the latest name and note stand. One that is over is 409.',
        tags,
        params: AlertParams,
        body: AcknowledgeBody,
        response: { 200: AlertBody, ...errors(401, 403, 404, 409, 422, 503) },
      },
    },
    async (request) => {
      const { params, body } = request
      return changed(
        request,
        await alerts.acknowledge(params.alert_id, { by: authorOf(request), note: body.note ?? null }),
      )
    },
  )
}

function silenceRoutes(app: App, { alerts, clock }: AlertParts): void {
  app.post(
    `${ALERT}/silence`,
    {
      schema: {
        summary: 'Keep an alert quiet for a while',
        description:
          'Until then it is neither listed as firing nor sent, also when it goes and comes again; what still is wrong then is told anew. ' +
          'Thirty days at most. One that is over is 409.',
        tags,
        params: AlertParams,
        body: SilenceBody,
        response: { 200: AlertBody, ...errors(401, 403, 404, 409, 422, 503) },
      },
    },
    async (request) => {
      const { params, body } = request
      const until = endOf(body, clock.now())
      return changed(
        request,
        await alerts.silence(params.alert_id, { by: authorOf(request), note: body.note ?? null, until }),
      )
    },
  )

  app.delete(
    `${ALERT}/silence`,
    {
      schema: {
        summary: 'Let an alert be heard again',
        description: 'If it still fires it is told anew.',
        tags,
        params: AlertParams,
        response: { 200: AlertBody, ...errors(401, 403, 404, 422, 503) },
      },
    },
    async (request) => changed(request, await alerts.unsilence(request.params.alert_id)),
  )
}

function changed(request: FastifyRequest, { before, after }: { before: Alert; after: Alert }) {
  const subject = `alert:${after.fingerprint}`
  noteChange(request, { subject, before: handling(before), after: handling(after) })
  return present(after)
}

function handling({ acknowledged, silenced }: Alert) {
  return toSnakeCase({ acknowledged, silenced })
}

function present(alert: Alert) {
  return { ...toSnakeCase(alert), state: alertState(alert) }
}

function authorOf({ caller, body }: Pick<FastifyRequest, 'caller' | 'body'>): string | null {
  const { agent_id: said } = (body ?? {}) as { agent_id?: string }
  return caller.person?.name ?? said ?? caller.name
}

/** Throws invalid where neither or both are given, or the end is not within the next thirty days. */
function endOf({ minutes, until }: { minutes?: number; until?: string }, now: number): Date {
  if ((minutes === undefined) === (until === undefined)) {
    throw new AppError('invalid', 'minutes', 'minutes: give either minutes or until')
  }
  const end = until === undefined ? new Date(now + (minutes ?? 0) * MINUTE_MS) : parseTimestamp(until)
  if (!end || end.getTime() <= now || end.getTime() > now + MAX_SILENCE_MS) {
    throw new AppError('invalid', 'until', 'until: must be a time within the next 30 days')
  }
  return end
}
