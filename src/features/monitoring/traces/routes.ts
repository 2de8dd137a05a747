import type { Static } from 'typebox'
import { demandKey, open } from '../../../http/auth.ts'
import { readPeriod } from '../../../http/period.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import type { Pseudonym } from '../../../kernel/pseudonym.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import { withholdIds, withholdSummary, withholdTexts } from '../withheld.ts'
import { AgentsBody, OverviewBody, SessionsBody, TraceBody, TraceParams, TracesBody, TracesQuery } from './schemas.ts'
import type { Monitoring } from './service.ts'
import { toTokenCount } from './trace-row.ts'
import type { TraceFilter, TraceSummary } from './types.ts'

const tags = ['monitor']

const WITHHELD = 'Where a key is set and not sent, ids are pseudonyms and texts are empty.'

export interface TraceParts {
  monitoring: Monitoring
  /** For the ids of sessions and users where a key is set and not sent. */
  pseudonym: Pseudonym
}

export function traceRoutes(app: App, { monitoring, pseudonym }: TraceParts): void {
  stateRoutes(app, { monitoring, pseudonym })

  app.get(
    '/api/v1/monitor/traces',
    {
      config: open,
      schema: {
        summary: 'Recent turns, newest first, without their steps',
        // Who may not know ids must not learn either whose pseudonym stands for one.
        description:
          'All filters may be combined; a page goes on with `before`. `session_id`, `message_id` and `q` need the key. ' +
          WITHHELD,
        tags,
        querystring: TracesQuery,
        response: { 200: TracesBody, ...errors(400, 401, 403, 404, 422, 503) },
      },
    },
    async (request) => {
      const { query, caller } = request
      if (query.session_id ?? query.message_id ?? query.q) demandKey(request)
      const traces = await monitoring.traces(toFilter(query))
      return (caller.isTrusted ? traces : traces.map((each) => withholdSummary(each, pseudonym))).map(presentSummary)
    },
  )

  app.get(
    '/api/v1/monitor/traces/:trace_id',
    {
      config: open,
      schema: {
        summary: 'One turn with its steps and sub-tasks',
        description: `Each step comes after the step that it belongs to. ${WITHHELD}`,
        tags,
        params: TraceParams,
        response: { 200: TraceBody, ...errors(404, 422, 503) },
      },
    },
    async ({ params, caller }) => {
      const stored = await monitoring.trace(params.trace_id)
      const trace = caller.isTrusted ? stored : withholdTexts(stored, pseudonym)
      return { ...presentSummary(trace), steps: trace.steps, sub_tasks: trace.subTasks }
    },
  )
}

function toFilter(query: Static<typeof TracesQuery>): TraceFilter {
  const { limit, before = null, status = null, agent = null, intent = null } = query
  const { session_id: sessionId = null, message_id: messageId = null, q: text = null } = query
  const { min_duration_ms: minDurationMs = null, confidence = null, cached = null, escalated = null } = query
  const { from = null, to = null } = readPeriod(query)
  const how = { status, agent, intent, confidence, cached, escalated, minDurationMs }
  return { limit, before, ...how, sessionId, messageId, text, from, to }
}

function stateRoutes(app: App, { monitoring, pseudonym }: TraceParts): void {
  app.get(
    '/api/v1/monitor/overview',
    {
      config: open,
      schema: { summary: 'Turns and sessions at a glance', tags, response: { 200: OverviewBody, ...errors(503) } },
    },
    async () => {
      const { turns, failed, ...rest } = await monitoring.overview()
      return { total_traces: turns, success_rate: turns === 0 ? 0 : (turns - failed) / turns, ...toSnakeCase(rest) }
    },
  )

  app.get(
    '/api/v1/monitor/agents',
    {
      config: open,
      schema: { summary: 'Every agent and what it has done', tags, response: { 200: AgentsBody, ...errors(503) } },
    },
    async () => toSnakeCase(await monitoring.agents()),
  )

  app.get(
    '/api/v1/monitor/sessions',
    {
      config: open,
      schema: {
        summary: 'Active sessions, the last active first',
        description: `Those with activity in the last 30 minutes, at most 1,000. ${WITHHELD}`,
        tags,
        response: { 200: SessionsBody, ...errors(503) },
      },
    },
    async ({ caller }) => {
      const sessions = await monitoring.sessions()
      return toSnakeCase(caller.isTrusted ? sessions : sessions.map((each) => withholdIds(each, pseudonym)))
    },
  )
}

function presentSummary({ inputTokens, outputTokens, tokensEstimated: estimated, ...trace }: TraceSummary) {
  return { ...toSnakeCase(trace), tokens: toTokenCount({ inputTokens, outputTokens, estimated }) }
}
