import { type RawBuilder, sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { Gap, GapFilter, GapQuestion, Leader, NearDocument } from './types.ts'

export interface Cursor {
  messageSeq: number
  ratedAt: Date | null
  solutionsMarker: string
}

/** How far reading came. A transaction that locks it is alone with the groups until the transaction ends. */
export async function readCursor(executor: Executor, { lock = false } = {}): Promise<Cursor> {
  const { rows } =
    await sql<Cursor>`select message_seq::float8 as "messageSeq", nullif(rated_at, '-infinity') as "ratedAt",
    solutions_marker as "solutionsMarker" from knowledge_gaps_cursor ${lock ? sql`for update` : sql``}`.execute(
      executor,
    )
  return rows[0] as Cursor
}

export async function moveCursor(executor: Executor, { messageSeq, ratedAt }: Omit<Cursor, 'solutionsMarker'>) {
  await sql`update knowledge_gaps_cursor set message_seq = greatest(message_seq, ${messageSeq}),
    rated_at = greatest(rated_at, coalesce(${ratedAt}::timestamptz, '-infinity'))`.execute(executor)
}

export async function listLeaders(executor: Executor, limit: number): Promise<Leader[]> {
  const { rows } = await sql<Omit<Leader, 'meaning'> & { meaning: Uint8Array }>`
    select g.gap_id as "gapId", g.meaning, q.question from knowledge_gaps g
    join lateral (select question, seq from knowledge_gap_questions q where q.gap_id = g.gap_id
      order by seq desc limit 1) q on true
    order by q.seq desc limit ${limit}`.execute(executor)
  return rows.map(({ meaning, ...leader }) => ({ ...leader, meaning: toFloats(meaning) }))
}

/** Changes when a group comes or goes. */
export async function leadersMarker(executor: Executor): Promise<string> {
  const { rows } = await sql<{
    marker: string
  }>`select count(*) || ':' || coalesce(extract(epoch from max(created_at))::text, '')
    as marker from knowledge_gaps`.execute(executor)
  return rows[0]?.marker ?? ''
}

function toFloats(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}

export async function insertGap(executor: Executor, gapId: string, meaning: Float32Array): Promise<void> {
  const bytes = Buffer.from(meaning.buffer, meaning.byteOffset, meaning.byteLength)
  await sql`insert into knowledge_gaps (gap_id, meaning) values (${gapId}, ${bytes})`.execute(executor)
}

/** A question whose conversation was erased meanwhile is not kept. */
export async function saveQuestion(executor: Executor, gapId: string, question: GapQuestion): Promise<void> {
  await sql`insert into knowledge_gap_questions (message_id, seq, gap_id, session_id, kind, question, language, rested_on,
      asked_at)
    select ${question.messageId}, ${question.seq}, ${gapId}, s.session_id, ${question.kind}, ${question.question},
      ${question.language}, ${toJson(question.restedOn)}::jsonb, ${question.askedAt}
    from chat_sessions s where s.session_id = ${question.sessionId} for share
    on conflict (message_id) do update set kind = excluded.kind, rested_on = excluded.rested_on`.execute(executor)
}

/** Which of these messages are in a group, with their kinds. */
export async function findKinds(executor: Executor, messageIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ messageId: string; kind: string }>`select message_id as "messageId", kind
    from knowledge_gap_questions where message_id = any(${[...messageIds]})`.execute(executor)
  return new Map(rows.map(({ messageId, kind }) => [messageId, kind]))
}

/** Ratings that were taken back. */
export async function dropRated(executor: Executor, messageIds: readonly string[]): Promise<void> {
  await sql`delete from knowledge_gap_questions where kind = 'rated_down'
    and message_id = any(${[...messageIds]})`.execute(executor)
}

/** Keeps the newest questions, and no group without any. */
export async function trimGaps(executor: Executor, newest: number): Promise<void> {
  await sql`delete from knowledge_gap_questions where seq <= (select seq from knowledge_gap_questions
    order by seq desc offset ${newest} limit 1)`.execute(executor)
  await sql`delete from knowledge_gaps g where not exists
    (select from knowledge_gap_questions q where q.gap_id = g.gap_id)`.execute(executor)
}

const stateOf = sql`case when g.is_ignored then 'ignored' when g.is_answered then 'closed'
  when g.solution_id is not null then 'drafted' else 'open' end`
const gapColumns = sql`g.gap_id as "gapId", ${stateOf} as state, q.*, g.documents, g.solution_id as "solutionId",
  g.checked_at as "checkedAt", g.decided_by as "decidedBy", g.decided_at as "decidedAt"`
const summary = sql`count(*)::integer as count, count(distinct session_id)::integer as sessions,
  (count(*) filter (where kind = 'unsure'))::integer as unsure,
  (count(*) filter (where kind = 'rated_down'))::integer as "ratedDown",
  min(asked_at) as "firstSeen", max(asked_at) as "lastSeen", array_agg(distinct language) as languages`
const EXAMPLES = 5

type GapRow = Omit<Gap, 'examples' | 'question'>

/** Those that most conversations have first. */
export async function listGaps(
  executor: Executor,
  { state, since, until, language }: GapFilter,
  limit: number,
): Promise<{ gaps: Gap[]; total: number }> {
  const matching = sql`from knowledge_gaps g join (
      select gap_id, ${summary} from knowledge_gap_questions
      where (${since}::timestamptz is null or asked_at >= ${since})
        and (${until}::timestamptz is null or asked_at < ${until})
        and (${language}::text is null or language = ${language})
      group by gap_id
    ) q using (gap_id) where (${state}::text is null or ${stateOf} = ${state})`
  const { rows } = await sql<GapRow>`select ${gapColumns} ${matching}
    order by q.sessions desc, q.count desc, q."lastSeen" desc, g.gap_id limit ${limit}`.execute(executor)
  const counted = await sql<{ total: number }>`select count(*)::integer as total ${matching}`.execute(executor)
  return { gaps: await withExamples(executor, rows), total: counted.rows[0]?.total ?? 0 }
}

export async function countOpenGaps(executor: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from knowledge_gaps g
    where ${stateOf} = 'open' and exists (select from knowledge_gap_questions q where q.gap_id = g.gap_id)`.execute(
    executor,
  )
  return rows[0]?.count ?? 0
}

export async function findGap(executor: Executor, gapId: string): Promise<Gap | undefined> {
  const { rows } = await sql<GapRow>`select ${gapColumns} from knowledge_gaps g join (
      select gap_id, ${summary} from knowledge_gap_questions where gap_id = ${gapId} group by gap_id
    ) q using (gap_id)`.execute(executor)
  const [gap] = await withExamples(executor, rows)
  return gap
}

async function withExamples(executor: Executor, rows: readonly GapRow[]): Promise<Gap[]> {
  const examples = await latestOf(
    executor,
    rows.map(({ gapId }) => gapId),
    EXAMPLES,
  )
  return rows.map((row) => {
    const own = (examples.get(row.gapId) ?? []).map(({ question }) => question)
    return { ...row, question: own[0] ?? '', examples: own }
  })
}

/** Of each group the newest distinct questions. */
async function latestOf(
  executor: Executor,
  gapIds: readonly string[],
  count: number,
): Promise<Map<string, Pick<GapQuestion, 'question' | 'kind' | 'restedOn'>[]>> {
  const { rows } = await sql<{ gapId: string } & Pick<GapQuestion, 'question' | 'kind' | 'restedOn'>>`
    select gap_id as "gapId", question, kind, rested_on as "restedOn" from (
      select *, row_number() over (partition by gap_id order by seq desc) as place from (
        select distinct on (gap_id, question) gap_id, question, kind, rested_on, seq from knowledge_gap_questions
        where gap_id = any(${[...gapIds]}) order by gap_id, question, seq desc) newest) placed
    where place <= ${count} order by gap_id, place`.execute(executor)
  return Map.groupBy(rows, ({ gapId }) => gapId)
}

export interface StaleGap {
  gapId: string
  marker: string
  questions: Pick<GapQuestion, 'question' | 'kind' | 'restedOn'>[]
}

/** Groups that were not looked at since the knowledge base, the parameters or their questions changed; the largest first. */
export async function listStale(
  executor: Executor,
  { base, limit, questions }: { base: string; limit: number; questions: number },
): Promise<StaleGap[]> {
  const { rows } = await sql<{ gapId: string; marker: string }>`
    select g.gap_id as "gapId", ${base}::text || ':' || q.latest as marker
    from knowledge_gaps g join (select gap_id, max(seq) as latest, count(distinct session_id) as sessions
      from knowledge_gap_questions group by gap_id) q using (gap_id)
    where g.checked_marker is distinct from ${base}::text || ':' || q.latest
    order by q.sessions desc, g.gap_id limit ${limit}`.execute(executor)
  const latest = await latestOf(
    executor,
    rows.map(({ gapId }) => gapId),
    questions,
  )
  return rows.map((row) => ({ ...row, questions: latest.get(row.gapId) ?? [] }))
}

export async function saveCheck(
  executor: Executor,
  gapId: string,
  check: { marker: string; isAnswered: boolean; documents: readonly NearDocument[] },
): Promise<void> {
  await sql`update knowledge_gaps set is_answered = ${check.isAnswered}, documents = ${toJson(check.documents)}::jsonb,
    checked_marker = ${check.marker}, checked_at = now() where gap_id = ${gapId}`.execute(executor)
}

/** @param found gap id → solution that would answer it; all others have none */
export async function saveSolutions(
  executor: Executor,
  found: ReadonlyMap<string, string>,
  marker: string,
): Promise<void> {
  const pairs = toJson([...found].map(([gapId, solutionId]) => ({ gapId, solutionId })))
  const wanted: RawBuilder<unknown> = sql`(select p."solutionId" from
    jsonb_to_recordset(${pairs}::jsonb) as p("gapId" text, "solutionId" text) where p."gapId" = g.gap_id limit 1)`
  await sql`update knowledge_gaps g set solution_id = ${wanted} where solution_id is distinct from ${wanted}`.execute(
    executor,
  )
  await sql`update knowledge_gaps_cursor set solutions_marker = ${marker}`.execute(executor)
}

/** False: there is no such gap. */
export async function decideGap(
  executor: Executor,
  gapId: string,
  { isIgnored, by }: { isIgnored: boolean; by: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`update knowledge_gaps set is_ignored = ${isIgnored}, decided_by = ${by},
    decided_at = now() where gap_id = ${gapId} and is_ignored is distinct from ${isIgnored}`.execute(executor)
  if (Number(numAffectedRows ?? 0) > 0) return true
  const { rows } = await sql`select 1 from knowledge_gaps where gap_id = ${gapId}`.execute(executor)
  return rows.length > 0
}

/** Newest first. */
export async function listQuestions(
  executor: Executor,
  gapId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<GapQuestion[]> {
  const { rows } =
    await sql<GapQuestion>`select message_id as "messageId", seq::float8 as seq, session_id as "sessionId",
      kind, question, language, rested_on as "restedOn", asked_at as "askedAt"
    from knowledge_gap_questions where gap_id = ${gapId} and (${before}::bigint is null or seq < ${before})
    order by seq desc limit ${limit}`.execute(executor)
  return rows
}
