import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { FoundMessage } from './types.ts'

/** A message whose words are to be stored. */
export interface UnreadMessage {
  seq: number
  sessionId: string
  content: string
}

export interface SearchState {
  seq: number
  analysis: string
}

/** Messages later than this may still become visible below later ones: a transaction is under way for seconds at most. */
const SETTLED_SECONDS = 60

export async function readState(executor: Executor): Promise<SearchState> {
  const { rows } = await sql<SearchState>`select seq, analysis from desk_search_state`.execute(executor)
  return rows[0] ?? { seq: 0, analysis: '' }
}

/** Begins anew, with another analysis. */
export async function resetState(executor: Executor, analysis: string): Promise<void> {
  await sql`delete from desk_words`.execute(executor)
  await sql`insert into desk_search_state (seq, analysis) values (0, ${analysis})
    on conflict (only_row) do update set seq = 0, analysis = excluded.analysis`.execute(executor)
}

/** Messages that have no words yet, oldest first. */
export async function listWordless(executor: Executor, afterSeq: number, limit: number): Promise<UnreadMessage[]> {
  const { rows } = await sql<UnreadMessage>`select m.seq, m.session_id as "sessionId", m.content from chat_messages m
    where m.seq > ${afterSeq} and m.role <> 'system' and not exists (select from desk_words w where w.seq = m.seq)
    order by m.seq limit ${limit}`.execute(executor)
  return rows
}

/** Those that were removed meanwhile are left out; those that another replica stored stay. */
export async function insertWords(
  executor: Executor,
  messages: readonly { seq: number; sessionId: string; words: readonly number[] }[],
): Promise<void> {
  const rows = messages.map(({ seq, sessionId, words }) => ({ seq, session_id: sessionId, words }))
  await sql`insert into desk_words (seq, session_id, words)
    select w.seq, w.session_id, array(select jsonb_array_elements_text(w.words)::integer)
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as w (seq bigint, session_id text, words jsonb)
    where exists (select from chat_messages m where m.seq = w.seq)
    on conflict (seq) do nothing`.execute(executor)
}

/** The last settled message up to `seq` is where the next search for wordless ones begins. */
export async function advanceState(executor: Executor, seq: number): Promise<void> {
  await sql`update desk_search_state set seq = greatest(seq, coalesce((select max(m.seq) from chat_messages m
    where m.seq <= ${seq} and m.seq > ${seq} - 10000 and m.created_at < now() - make_interval(secs => ${SETTLED_SECONDS})), 0))`.execute(
    executor,
  )
}

export async function lastWordSeq(executor: Executor): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from desk_words`.execute(executor)
  return rows[0]?.seq ?? 0
}

/** Messages below `before` that hold all the words, the latest first. */
export async function findMessages(
  executor: Executor,
  { words, before, limit }: { words: readonly number[]; before: number; limit: number },
): Promise<FoundMessage[]> {
  const { rows } = await sql<FoundMessage>`select seq, session_id as "sessionId" from desk_words
    where words @> ${[...words]}::integer[] and seq < ${before} order by seq desc limit ${limit}`.execute(executor)
  return rows
}

/** Messages that hold all the words, counted up to `most`. */
export async function countMessages(executor: Executor, words: readonly number[], most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from desk_words where words @> ${[...words]}::integer[] limit ${most}) counted`.execute(executor)
  return rows[0]?.count ?? 0
}

/** Of each of the conversations the latest message, from `from` on, that holds all the words. */
export async function latestIn(
  executor: Executor,
  { sessionIds, words, from }: { sessionIds: readonly string[]; words: readonly number[]; from: number },
): Promise<FoundMessage[]> {
  const { rows } = await sql<FoundMessage>`select max(m.seq) as seq, m.session_id as "sessionId" from chat_messages m
    join desk_words w on w.seq = m.seq
    where m.session_id = any(${[...sessionIds]}::text[]) and m.seq >= ${from} and w.words @> ${[...words]}::integer[]
    group by m.session_id`.execute(executor)
  return rows
}

/** Texts of messages by their numbers. */
export async function readTexts(
  executor: Executor,
  seqs: readonly number[],
): Promise<{ seq: number; messageId: string; role: string; content: string; createdAt: Date }[]> {
  const { rows } = await sql<{ seq: number; messageId: string; role: string; content: string; createdAt: Date }>`
    select seq, message_id as "messageId", role, content, created_at as "createdAt" from chat_messages
    where seq = any(${[...seqs]}::bigint[])`.execute(executor)
  return rows
}
