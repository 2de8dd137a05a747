import { open } from '../../http/auth.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import type { Pseudonym } from '../../kernel/pseudonym.ts'
import { AgentsBody, OverviewBody, SessionsBody, TraceBody, TraceParams, TracesBody, TracesQuery } from './schemas.ts'
import type { Monitoring } from './service.ts'
import { toTokenCount } from './trace-row.ts'
import type { ActiveSession, TraceSummary } from './types.ts'
import { withholdIds, withholdSummary, withholdTexts } from './withheld.ts'

const tags = ['monitor']

const WITHHELD = 'Where a key is set and not sent, ids are pseudonyms and texts are empty.'

export interface MonitoringParts {
  monitoring: Monitoring
  /** For the ids of sessions and users where a key is set and not sent. */
  pseudonym: Pseudonym
}

export function monitoringRoutes(app: App, { monitoring, pseudonym }: MonitoringParts): void {
  app.get(
    '/api/v1/monitor/overview',
    {
      config: open,
      schema: { summary: 'Turns and sessions at a glance', tags, response: { 200: OverviewBody, ...errors(503) } },
    },
    async () => {
      const { turns, failed, avgDurationMs, p95DurationMs, activeSessions } = await monitoring.overview()
      return {
        total_traces: turns,
        success_rate: turns === 0 ? 0 : (turns - failed) / turns,
        avg_duration_ms: avgDurationMs,
        p95_duration_ms: p95DurationMs,
        active_sessions: activeSessions,
      }
    },
  )
  traceRoutes(app, { monitoring, pseudonym })

  app.get(
    '/api/v1/monitor/agents',
    {
      config: open,
      schema: { summary: 'Every agent and what it has done', tags, response: { 200: AgentsBody, ...errors(503) } },
    },
    async () =>
      (await monitoring.agents()).map(({ agent, description, status, ...counts }) => ({
        agent,
        description,
        status,
        call_count: counts.callCount,
        error_count: counts.errorCount,
        avg_duration_ms: counts.avgDurationMs,
        last_called_at: counts.lastCalledAt?.toISOString() ?? null,
      })),
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
      const shown = caller.isTrusted ? sessions : sessions.map((each) => withholdIds(each, pseudonym))
      return shown.map(presentSession)
    },
  )
}

function presentSession(session: ActiveSession) {
  return {
    session_id: session.sessionId,
    user_id: session.userId,
    channel: session.channel,
    turn_count: session.turnCount,
    agent_status: session.agentStatus,
    last_active_at: session.lastActiveAt.toISOString(),
  }
}

function traceRoutes(app: App, { monitoring, pseudonym }: MonitoringParts): void {
  app.get(
    '/api/v1/monitor/traces',
    {
      config: open,
      schema: {
        summary: 'Recent turns, newest first, without their steps',
        description: WITHHELD,
        tags,
        querystring: TracesQuery,
        response: { 200: TracesBody, ...errors(422, 503) },
      },
    },
    async ({ query, caller }) => {
      const traces = await monitoring.traces(query.limit)
      return (caller.isTrusted ? traces : traces.map((each) => withholdSummary(each, pseudonym))).map(presentSummary)
    },
  )

  app.get(
    '/api/v1/monitor/traces/:trace_id',
    {
      config: open,
      schema: {
        summary: 'One turn with its steps and sub-tasks',
        description: WITHHELD,
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

function presentSummary(trace: TraceSummary) {
  const { inputTokens, outputTokens, tokensEstimated: estimated } = trace
  return {
    trace_id: trace.traceId,
    session_id: trace.sessionId,
    channel: trace.channel,
    status: trace.status,
    intent: trace.intent,
    started_at: trace.startedAt.toISOString(),
    duration_ms: trace.durationMs,
    tokens: toTokenCount({ inputTokens, outputTokens, estimated }),
    error: trace.error,
    escalated: trace.escalated,
    confidence: trace.confidence,
    cached: trace.cached,
  }
}
