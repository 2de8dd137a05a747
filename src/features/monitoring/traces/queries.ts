import { type RawBuilder, sql } from 'kysely'
import { type Executor, isDuplicate, statementOver, toJson } from '../../../platform/postgres/index.ts'
import type { AgentCalls } from './trace-row.ts'
import type {
  ActiveSession,
  AgentRow,
  Overview,
  Step,
  StoredTrace,
  TraceFilter,
  TraceRow,
  TraceSummary,
  TurnStats,
} from './types.ts'

const summaryColumns = sql`trace_id as "traceId", session_id as "sessionId", message_id as "messageId", question, channel, status, intent,
  started_at as "startedAt", duration_ms as "durationMs", input_tokens as "inputTokens",
  output_tokens as "outputTokens", tokens_estimated as "tokensEstimated", error, escalated, confidence, cached`

/**
 * Stores traces and what their agents did, in one statement. Where one of them is there already nothing is stored:
 * false then. Traces of conversations that were erased meanwhile count and are not kept.
 *
 * @param calls those of all traces, added up
 */
export async function insertTraces(
  executor: Executor,
  rows: readonly TraceRow[],
  calls: readonly AgentCalls[],
): Promise<boolean> {
  try {
    await insertAll(executor, { rows, calls })
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

/** Holds for most steps, and is not stored: it was a quarter of a trace. */
const PLAIN = {
  parent_id: null,
  status: 'ok',
  duration_ms: 0,
  input: '',
  output: '',
  tokens: null,
  error: null,
} as const

function toStored(step: Step): Partial<Step> {
  const plain: Partial<Step> = PLAIN
  return Object.fromEntries(Object.entries(step).filter(([name, value]) => value !== plain[name as keyof Step]))
}

const insertAll = statementOver<{ rows: readonly TraceRow[]; calls: readonly AgentCalls[] }>(
  ({ column, value }) => sql`with added as (
      insert into traces (trace_id, session_id, channel, status, intent, started_at, duration_ms, input_tokens,
        output_tokens, tokens_estimated, error, escalated, confidence, cached, steps, sub_tasks, message_id, agents, question)
      select t.* from unnest(${column('text', ({ traceId }) => traceId)}, ${column('text', ({ sessionId }) => sessionId)},
        ${column('text', ({ channel }) => channel)}, ${column('text', ({ status }) => status)},
        ${column('text', ({ intent }) => intent)}, ${column('timestamptz', ({ startedAt }) => startedAt)},
        ${column('float8', ({ durationMs }) => durationMs)}, ${column('int4', ({ inputTokens }) => inputTokens)},
        ${column('int4', ({ outputTokens }) => outputTokens)},
        ${column('bool', ({ tokensEstimated }) => tokensEstimated)}, ${column('text', ({ error }) => error)},
        ${column('bool', ({ escalated }) => escalated)}, ${column('text', ({ confidence }) => confidence)},
        ${column('bool', ({ cached }) => cached)}, ${column('json', ({ steps }) => toJson(steps.map(toStored)))},
        ${column('json', ({ subTasks }) => toJson(subTasks))}, ${column('text', ({ messageId }) => messageId)},
        ${column('jsonb', ({ agents }) => toJson(agents))}, ${column('text', ({ question }) => question)})
        as t(trace_id, session_id, channel, status, intent, started_at, duration_ms, input_tokens, output_tokens,
          tokens_estimated, error, escalated, confidence, cached, steps, sub_tasks, message_id, agents, question)
      where not exists (select from erased_sessions e
        where e.session_key = erased_session_key(t.session_id) and e.erased_at >= t.started_at)
    )
    insert into agent_calls as a (agent, call_count, error_count, duration_ms, last_called_at, last_failed)
    select agent, calls, errors, "durationMs", "lastCalledAt", "lastFailed"
    from jsonb_to_recordset(${value(({ calls }) => toJson(calls))}::jsonb) as c(agent text, calls bigint, errors bigint,
      "durationMs" double precision, "lastCalledAt" timestamptz, "lastFailed" boolean)
    order by agent
    on conflict (agent) do update set call_count = a.call_count + excluded.call_count,
      error_count = a.error_count + excluded.error_count, duration_ms = a.duration_ms + excluded.duration_ms,
      last_failed = case when excluded.last_called_at >= a.last_called_at then excluded.last_failed else a.last_failed end,
      last_called_at = greatest(a.last_called_at, excluded.last_called_at)`,
)

/** Those of `traceIds` that are there. */
export async function findStoredIds(executor: Executor, traceIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ traceId: string }>`select trace_id as "traceId" from traces
    where trace_id = any(${traceIds})`.execute(executor)
  return new Set(rows.map(({ traceId }) => traceId))
}

/** Newest first. */
export async function listTraces(executor: Executor, { limit, ...filter }: TraceFilter): Promise<TraceSummary[]> {
  const { rows } = await sql<TraceSummary>`select ${summaryColumns} from traces
    where ${sql.join(conditionsOf(filter), sql` and `)}
    order by started_at desc, seq desc limit ${limit}`.execute(executor)
  return rows
}

const UNSURE = ['close', 'none']

/** Of what is asked for alone, so that each may use its index. */
function conditionsOf(filter: Omit<TraceFilter, 'limit'>): RawBuilder<unknown>[] {
  const { status, sessionId, messageId, agent, intent, from, to, minDurationMs, text, before } = filter
  const { confidence, cached, escalated } = filter
  const stored = agent === null ? '' : `%"agent":${literally(JSON.stringify(agent))}%`
  return [
    sql`true`,
    status !== null && sql`status = ${status}`,
    sessionId !== null && sql`session_id = ${sessionId}`,
    messageId !== null && sql`trace_id = ${turnOf(messageId)}`,
    agent !== null && sql`coalesce(agents ? ${agent}, steps::text like ${stored})`,
    intent !== null && sql`intent = ${intent}`,
    confidence !== null && sql`confidence = any(${confidence === 'unsure' ? UNSURE : [confidence]}::text[])`,
    cached !== null && sql`cached = ${cached}`,
    escalated !== null && sql`escalated = ${escalated}`,
    from !== null && sql`started_at >= ${from}`,
    to !== null && sql`started_at < ${to}`,
    minDurationMs !== null && sql`duration_ms >= ${minDurationMs}`,
    text !== null && sql`question ilike ${`%${literally(text)}%`}`,
    before !== null && sql`(started_at, seq) < (select started_at, seq from traces where trace_id = ${before})`,
  ].filter((condition) => condition !== false)
}

/** The turn in which a message was the reply, or the question that the next message replies to; messages are chat's own. */
const turnOf = (messageId: string) => sql`(select turn.details->>'traceId' from chat_messages m,
    lateral (select details from chat_messages r where r.session_id = m.session_id and r.role in ('user', 'assistant')
      and r.seq > m.seq - (m.role = 'assistant')::int order by r.seq limit 1) turn
  where m.message_id = ${messageId} and m.role in ('user', 'assistant'))`

/** A text as a pattern that nothing else matches. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

export async function findTrace(executor: Executor, traceId: string): Promise<StoredTrace | undefined> {
  const { rows } = await sql<StoredTrace>`select ${summaryColumns}, steps, sub_tasks as "subTasks" from traces
    where trace_id = ${traceId}`.execute(executor)
  return rows.map((row) => ({ ...row, steps: row.steps.map((step) => ({ ...PLAIN, ...step })) }))[0]
}

const durations = sql`count(*) as turns, count(*) filter (where status = 'error') as failed,
  coalesce(avg(duration_ms), 0) as "avgDurationMs",
  coalesce(percentile_cont(0.95) within group (order by duration_ms), 0) as "p95DurationMs"`

export async function readOverview(executor: Executor, since: Date): Promise<Overview> {
  const { rows } = await sql<Overview>`select ${durations} from traces where started_at > ${since}`.execute(executor)
  return rows[0] as Overview
}

/** Dearer than the overview, and asked for shorter times: sessions are told apart. */
export async function readTurnStats(executor: Executor, since: Date): Promise<TurnStats> {
  const { rows } = await sql<TurnStats>`select ${durations}, count(distinct session_id) as sessions,
      count(distinct session_id) filter (where escalated) as "escalatedSessions",
      count(confidence) as searched, count(*) filter (where confidence <> 'sure') as unsure
    from traces where started_at > ${since}`.execute(executor)
  return rows[0] as TurnStats
}

export async function readAgents(executor: Executor): Promise<AgentRow[]> {
  const { rows } = await sql<AgentRow>`select agent, call_count as "callCount", error_count as "errorCount",
    duration_ms as "durationMs", last_called_at as "lastCalledAt", last_failed as "lastFailed"
    from agent_calls order by agent`.execute(executor)
  return rows
}

/** Sessions with activity after `since`, the last active first. They are chat's own; this only reads them. */
export async function listActiveSessions(executor: Executor, since: Date, limit: number): Promise<ActiveSession[]> {
  const { rows } = await sql<ActiveSession>`select session_id as "sessionId", user_id as "userId", channel,
      turn_count as "turnCount", coalesce(agent_status, 'none') as "agentStatus", updated_at as "lastActiveAt"
    from chat_sessions where updated_at > ${since} order by updated_at desc, session_id limit ${limit}`.execute(
    executor,
  )
  return rows
}

export async function countActiveSessions(executor: Executor, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from chat_sessions
    where updated_at > ${since}`.execute(executor)
  return rows[0]?.count ?? 0
}
