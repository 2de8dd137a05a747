import { open } from '../../http/auth.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AgentsBody, OverviewBody, SessionsBody, TraceBody, TraceParams, TracesBody, TracesQuery } from './schemas.ts'
import type { Monitoring } from './service.ts'
import { toTokenCount } from './trace-row.ts'
import type { TraceSummary } from './types.ts'

const tags = ['monitor']

export function monitoringRoutes(app: App, { monitoring }: { monitoring: Monitoring }): void {
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
  traceRoutes(app, monitoring)

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
        description: 'Those with activity in the last 30 minutes, at most 1,000.',
        tags,
        response: { 200: SessionsBody, ...errors(503) },
      },
    },
    async () =>
      (await monitoring.sessions()).map((session) => ({
        session_id: session.sessionId,
        user_id: session.userId,
        channel: session.channel,
        turn_count: session.turnCount,
        agent_status: session.agentStatus,
        last_active_at: session.lastActiveAt.toISOString(),
      })),
  )
}

function traceRoutes(app: App, monitoring: Monitoring): void {
  app.get(
    '/api/v1/monitor/traces',
    {
      config: open,
      schema: {
        summary: 'Recent turns, newest first, without their steps',
        tags,
        querystring: TracesQuery,
        response: { 200: TracesBody, ...errors(422, 503) },
      },
    },
    async ({ query }) => (await monitoring.traces(query.limit)).map(presentSummary),
  )

  app.get(
    '/api/v1/monitor/traces/:trace_id',
    {
      config: open,
      schema: {
        summary: 'One turn with its steps and sub-tasks',
        tags,
        params: TraceParams,
        response: { 200: TraceBody, ...errors(404, 422, 503) },
      },
    },
    async ({ params }) => {
      const trace = await monitoring.trace(params.trace_id)
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
