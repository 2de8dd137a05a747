import { type RawBuilder, sql } from 'kysely'
import { type Executor, toJson } from '../../../platform/postgres/index.ts'
import type { BinCount, Distribution, Fact } from './metrics.ts'

/** Lengths of the buckets that are kept, in seconds. */
export const STEPS = { minute: 60, hour: 3_600, day: 86_400 } as const
export type Level = keyof typeof STEPS

/** From the first moment to the one before the last. */
export interface Span {
  from: Date
  to: Date
}

/** A conversation that counted. */
export interface Counted {
  sessionId: string
  /** Null: none was given, or the conversation is no longer kept. */
  userId: string | null
  /** Question of the customer in the turn, else said last before it counted. */
  question: string | null
  traceId: string | null
  at: Date
  value: number
}

const TASK = 'series'
/** Before anything was summed up. */
const NEVER = new Date(0)

/** One at a time, until the transaction ends. Null: nothing was summed up yet. */
export async function lockSummedTo(executor: Executor): Promise<Date | null> {
  await sql`insert into periodic_tasks (task, ran_at) values (${TASK}, ${NEVER}) on conflict do nothing`.execute(
    executor,
  )
  const { rows } = await sql<{ at: Date }>`select ran_at as at from periodic_tasks
    where task = ${TASK} for update`.execute(executor)
  const at = rows[0]?.at ?? NEVER
  return at > NEVER ? at : null
}

export async function noteSummedTo(executor: Executor, at: Date): Promise<void> {
  await sql`update periodic_tasks set ran_at = ${at} where task = ${TASK}`.execute(executor)
}

/** The first moment of which anything is known; null: there is nothing. */
export async function firstFact(executor: Executor): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select least((select min(started_at) from traces),
    (select min(created_at) from chat_messages where role in ('agent', 'system')),
    (select min(created_at) from chat_feedback), (select min(ended_at) from model_calls),
    (select min(updated_at) from chat_sessions)) as at`.execute(executor)
  return rows[0]?.at ?? null
}

/** Counts that each kind of record tells; conversations and traces are others' own, here they are only read. */
const FACTS_OF = {
  turns: ({ from, to }: Span) => sql`select fact, started_at as at, value, session_id, trace_id
    from traces, lateral (values
      ('turn', duration_ms, true),
      ('answered', 1, confidence = 'sure'),
      ('unsure', 1, confidence in ('close', 'none')),
      ('error', 1, status = 'error'),
      ('cache_hit', 1, cached),
      ('tokens', input_tokens + output_tokens, input_tokens + output_tokens > 0)) as told(fact, value, holds)
    where started_at >= ${from} and started_at < ${to} and holds`,
  handovers: ({
    from,
    to,
  }: Span) => sql`select told.fact, m.created_at as at, told.value, m.session_id, null as trace_id
    from chat_messages m left join lateral (select created_at, details->>'event' as event from chat_messages h
        where h.session_id = m.session_id and h.seq < m.seq and h.role = 'system'
          and h.details->>'event' = any(${CHANGES}::text[])
        order by h.seq desc limit 1) before on m.details->>'event' = 'accepted',
      lateral (values
        ('handoff', 1, m.details->>'event' = 'handoff'),
        ('resolved_by_person', 1, m.details->>'event' = 'resolved'),
        ('waiting', extract(epoch from m.created_at - before.created_at), before.event in ('handoff', 'released')))
        as told(fact, value, holds)
    where m.role = 'system' and m.created_at >= ${from} and m.created_at < ${to} and holds`,
  firstWords: ({ from, to }: Span) => sql`select 'first_response' as fact, m.created_at as at,
      extract(epoch from m.created_at - called.created_at) as value, m.session_id, null as trace_id
    from chat_messages m, lateral (select seq, created_at from chat_messages h
      where h.session_id = m.session_id and h.seq < m.seq and h.role = 'system' and h.details->>'event' = 'handoff'
      order by h.seq desc limit 1) called
    where m.role = 'agent' and m.created_at >= ${from} and m.created_at < ${to} and not exists (
      select from chat_messages e where e.session_id = m.session_id and e.seq > called.seq and e.seq < m.seq
        and (e.role = 'agent' or (e.role = 'system' and e.details->>'event' = any(${ENDS}::text[]))))`,
  endings: ({ from, to }: Span) => sql`select 'resolved_by_assistant' as fact, updated_at + ${QUIET} as at, 1 as value,
      session_id, null as trace_id
    from chat_sessions s
    where updated_at >= ${from}::timestamptz - ${QUIET} and updated_at < ${to}::timestamptz - ${QUIET}
      and escalated_at is null and failed_attempts = 0 and turn_count > 0
      and (select rating from chat_feedback f where f.session_id = s.session_id order by created_at desc limit 1)
        is distinct from 'down'`,
  ratings: ({ from, to }: Span) => sql`select 'feedback_' || rating as fact, created_at as at, 1 as value, session_id,
      (select details->>'traceId' from chat_messages m where m.message_id = f.message_id) as trace_id
    from chat_feedback f where created_at >= ${from} and created_at < ${to}`,
  scores: ({
    from,
    to,
  }: Span) => sql`select 'rated' as fact, created_at as at, score as value, session_id, null as trace_id
    from session_ratings where created_at >= ${from} and created_at < ${to}`,
}
/** Events after which a session is with others than before. */
const CHANGES = ['handoff', 'accepted', 'resolved', 'returned', 'cancelled', 'transferred', 'released', 'handed_back']
/** Those after which nobody waits for a person any more. */
const ENDS = ['resolved', 'returned', 'cancelled', 'handed_back']
/** After so long a session counts as over. */
const QUIET = sql`interval '30 minutes'`

const SOURCE_OF: Record<Exclude<Fact, 'cost'>, keyof typeof FACTS_OF> = {
  turn: 'turns',
  answered: 'turns',
  unsure: 'turns',
  error: 'turns',
  cache_hit: 'turns',
  tokens: 'turns',
  handoff: 'handovers',
  resolved_by_person: 'handovers',
  waiting: 'handovers',
  first_response: 'firstWords',
  resolved_by_assistant: 'endings',
  feedback_up: 'ratings',
  feedback_down: 'ratings',
  rated: 'scores',
}

/** Sums up the minutes of a time anew from what there is. @param measured facts of which the distribution is kept */
export async function sumMinutes(
  executor: Executor,
  span: Span,
  { costs, measured, logOfBin }: Distribution & { costs: readonly Cost[] },
): Promise<void> {
  await removePoints(executor, 'minute', span)
  const facts = sql.join(
    Object.values(FACTS_OF).map(
      (factsOf) => sql`(select fact, at, value::float8 as value from (${factsOf(span)}) told)`,
    ),
    sql` union all `,
  )
  await sql`insert into series_points (step_seconds, metric, at, bin, count, total)
    select 60, fact, date_bin('1 minute', at, ${ORIGIN}), binned.bin, count(*), sum(value)
    from (${facts}) facts, lateral (select case when fact = any(${measured}) and value > 0
      then greatest(-200, least(400, floor(ln(value) / ${logOfBin}::float8)))::smallint else 0 end as bin) binned
    group by 2, 3, 4
    union all
    select 60, 'cost', at, 0, count, total
    from jsonb_to_recordset(${toJson(costs)}::jsonb) as c(at timestamptz, count bigint, total float8)`.execute(executor)
}

/** Sums up hours of minutes, or days of hours, that lie in a time. */
export async function sumUp(executor: Executor, level: 'hour' | 'day', { from, to }: Span): Promise<void> {
  const step = STEPS[level]
  await removePoints(executor, level, { from, to })
  await sql`insert into series_points (step_seconds, metric, at, bin, count, total)
    select ${step}::int, metric, ${bucketOf(step, 0)}, bin, sum(count), sum(total)
    from series_points where step_seconds = ${level === 'hour' ? STEPS.minute : STEPS.hour} and at >= ${from} and at < ${to}
    group by 2, 3, 4`.execute(executor)
}

async function removePoints(executor: Executor, level: Level, { from, to }: Span): Promise<void> {
  await sql`delete from series_points where step_seconds = ${STEPS[level]} and at >= ${from} and at < ${to}`.execute(
    executor,
  )
}

/** Deletes the buckets of a level that began before a time. */
export async function prunePoints(executor: Executor, level: Level, before: Date): Promise<void> {
  await removePoints(executor, level, { from: NEVER, to: before })
}

/** Sums of the calls of one model within a minute. */
export interface ModelMinute {
  at: Date
  model: string
  calls: number
  inputTokens: number
  outputTokens: number
}

export interface Cost {
  at: Date
  count: number
  total: number
}

export async function readModelMinutes(executor: Executor, { from, to }: Span): Promise<ModelMinute[]> {
  const { rows } = await sql<ModelMinute>`select date_bin('1 minute', ended_at, ${ORIGIN}) as at, model,
      count(*) as calls, sum(input_tokens)::bigint as "inputTokens", sum(output_tokens)::bigint as "outputTokens"
    from model_calls where ended_at >= ${from} and ended_at < ${to} and attempts > 0 group by 1, 2`.execute(executor)
  return rows
}

/** A Monday, with which weeks begin. */
export const ORIGIN_MS = Date.UTC(1970, 0, 5)
const ORIGIN = sql`timestamptz '1970-01-05T00:00:00Z'`

function bucketOf(stepSeconds: number, offsetMinutes: number): RawBuilder<Date> {
  return sql`date_bin(make_interval(secs => ${stepSeconds}), at, ${ORIGIN} - make_interval(mins => ${offsetMinutes}))`
}

/** Facts by bucket and bin. @param offsetMinutes how far local time is ahead: days begin so much earlier */
export async function readPoints(
  executor: Executor,
  { facts, level, from, to }: Span & { facts: readonly Fact[]; level: Level },
  { stepSeconds, offsetMinutes }: { stepSeconds: number; offsetMinutes: number },
): Promise<(BinCount & { fact: Fact; at: Date })[]> {
  const { rows } = await sql<BinCount & { fact: Fact; at: Date }>`select metric as fact,
      ${bucketOf(stepSeconds, offsetMinutes)} as at, bin, sum(count)::bigint as count, sum(total) as total
    from series_points where step_seconds = ${STEPS[level]} and metric = any(${facts}::text[]) and at >= ${from} and at < ${to}
    group by 1, 2, 3 order by 1, 2, 3`.execute(executor)
  return rows
}

/** Facts of a whole time by bin. */
export async function readTotals(
  executor: Executor,
  { facts, level, from, to }: Span & { facts: readonly Fact[]; level: Level },
): Promise<(BinCount & { fact: Fact })[]> {
  const { rows } = await sql<BinCount & { fact: Fact }>`select metric as fact, bin, sum(count)::bigint as count,
      sum(total) as total
    from series_points where step_seconds = ${STEPS[level]} and metric = any(${facts}::text[]) and at >= ${from} and at < ${to}
    group by 1, 2 order by 1, 2`.execute(executor)
  return rows
}

/** The page goes on after what was counted at `atMs`, under `key`. */
export interface Position {
  atMs: number
  key: string
}

/** Conversations that counted, newest first, each with its place in the list. */
export async function listCounted(
  executor: Executor,
  { fact, ...span }: Span & { fact: Exclude<Fact, 'cost'> },
  { limit, before }: { limit: number; before: Position | null },
): Promise<(Counted & Position)[]> {
  const from = before ? sql`(at_ms, key) < (${before.atMs}::bigint, ${before.key})` : sql`true`
  const { rows } = await sql<Counted & Position>`with page as (
      select * from (select session_id, trace_id, at, value::float8 as value,
          floor(extract(epoch from at) * 1000)::bigint as at_ms, coalesce(trace_id, session_id) as key
        from (${FACTS_OF[SOURCE_OF[fact]](span)}) told where fact = ${fact}) counted
      where ${from} order by at_ms desc, key desc limit ${limit})
    select page.session_id as "sessionId", trace_id as "traceId", at, value, at_ms as "atMs", key,
      (select nullif(user_id, '') from chat_sessions s where s.session_id = page.session_id) as "userId",
      coalesce((select nullif(question, '') from traces t where t.trace_id = page.trace_id),
        (select content from chat_messages m where m.session_id = page.session_id and m.role = 'user'
          and m.created_at <= page.at order by m.seq desc limit 1)) as question
    from page order by at_ms desc, key desc`.execute(executor)
  return rows
}
