import { type RawBuilder, sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { Candidate, Draft, SimilarPassage, Solution, SolutionFilter, SolutionText } from './solution-types.ts'

const columns = sql`solution_id as "solutionId", session_id as "sessionId", question, solution, intent, status, origin,
  similar_passages as similar, details, revision, doc_id as "docId", reason, reviewer,
  masked, warnings, created_at as "createdAt",
  updated_at as "updatedAt", reviewed_at as "reviewedAt"`

export type NewSolution = SolutionText & Pick<Solution, 'solutionId' | 'sessionId' | 'similar'>

export async function insertSolution(executor: Executor, solution: NewSolution): Promise<Solution> {
  const { rows } = await sql<Solution>`
    insert into human_solutions (solution_id, session_id, question, solution, intent, status, origin, similar_passages)
    values (${solution.solutionId}, ${solution.sessionId}, ${solution.question}, ${solution.solution},
      ${solution.intent}, 'pending', 'human', ${toJson(solution.similar)}::jsonb)
    returning ${columns}`.execute(executor)
  return rows[0] as Solution
}

/** Adds a candidate of mining, or updates it while nobody has reviewed it; undefined when it was reviewed already. */
export async function saveCandidate(
  executor: Executor,
  solutionId: string,
  candidate: Candidate,
  similar: readonly SimilarPassage[],
): Promise<Solution | undefined> {
  const { candidateKey, question, solution, intent, details } = candidate
  const { rows } = await sql<Solution>`
    insert into human_solutions as s (solution_id, session_id, question, solution, intent, status, origin,
      candidate_key, similar_passages, details)
    values (${solutionId}, '', ${question}, ${solution}, ${intent}, 'pending', 'mining', ${candidateKey},
      ${toJson(similar)}::jsonb, ${toJson(details)}::jsonb)
    on conflict (candidate_key) do update set question = excluded.question, solution = excluded.solution,
      intent = excluded.intent, similar_passages = excluded.similar_passages, details = excluded.details,
      revision = s.revision + 1, updated_at = clock_timestamp()
      where s.status = 'pending'
    returning ${columns}`.execute(executor)
  return rows[0]
}

async function select(executor: Executor, chosen: RawBuilder<unknown>): Promise<Solution[]> {
  const { rows } = await sql<Solution>`select ${columns} from human_solutions where ${chosen}`.execute(executor)
  return rows
}

export async function countPendingSolutions(executor: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from human_solutions
    where status = 'pending'`.execute(executor)
  return rows[0]?.count ?? 0
}

export async function findCandidate(executor: Executor, candidateKey: string): Promise<Solution | undefined> {
  return (await select(executor, sql`candidate_key = ${candidateKey}`))[0]
}

export async function findSolution(executor: Executor, solutionId: string): Promise<Solution | undefined> {
  return (await select(executor, sql`solution_id = ${solutionId}`))[0]
}

/** The solution, locked until the transaction ends. */
export async function lockSolution(executor: Executor, solutionId: string): Promise<Solution | undefined> {
  return (await select(executor, sql`solution_id = ${solutionId} for update`))[0]
}

/** All that wait for review, the oldest first. */
export const listPendingSolutions = (executor: Executor): Promise<Solution[]> =>
  select(executor, sql`status = 'pending' order by created_at, solution_id`)

/** Edits a solution that nobody has reviewed; undefined otherwise. */
export async function updateSolution(
  executor: Executor,
  solutionId: string,
  text: SolutionText,
  similar: readonly SimilarPassage[],
): Promise<Solution | undefined> {
  const { rows } = await sql<Solution>`update human_solutions set question = ${text.question},
      solution = ${text.solution}, intent = ${text.intent}, similar_passages = ${toJson(similar)}::jsonb,
      revision = revision + 1, updated_at = clock_timestamp()
    where solution_id = ${solutionId} and status in ('draft', 'pending') returning ${columns}`.execute(executor)
  return rows[0]
}

/**
 * Keeps a draft of a conversation that is still there, once; nothing where its person has handed an answer in by now.
 * Of too many drafts that nobody wanted the oldest go.
 */
export async function saveDraft(
  executor: Executor,
  draft: Draft & Pick<Solution, 'solutionId' | 'intent'>,
  newest: number,
): Promise<void> {
  await sql`insert into human_solutions (solution_id, session_id, question, solution, intent, status, origin, candidate_key)
    select ${draft.solutionId}, s.session_id, ${draft.question}, ${draft.solution}, ${draft.intent}, 'draft', 'human',
      ${draft.key}
    from chat_sessions s where s.session_id = ${draft.sessionId} and not exists (select from human_solutions h
      where h.session_id = ${draft.sessionId} and h.status <> 'draft' and h.created_at >= ${draft.since})
    for share of s on conflict (candidate_key) do nothing`.execute(executor)
  await sql`delete from human_solutions where status = 'draft' and solution_id in (select solution_id from human_solutions
    where status = 'draft' order by created_at desc, solution_id desc offset ${newest})`.execute(executor)
}

/** Puts a draft into the queue; undefined: it is none. */
export async function submitDraft(executor: Executor, solutionId: string): Promise<Solution | undefined> {
  const { rows } = await sql<Solution>`update human_solutions set status = 'pending', updated_at = clock_timestamp()
    where solution_id = ${solutionId} and status = 'draft' returning ${columns}`.execute(executor)
  return rows[0]
}

/** False: it is no draft. */
export async function deleteDraft(executor: Executor, solutionId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from human_solutions
    where solution_id = ${solutionId} and status = 'draft'`.execute(executor)
  return Number(numAffectedRows ?? 0) > 0
}

/** Newest first. */
export async function listSolutions(
  executor: Executor,
  { status, q, before, limit }: SolutionFilter,
): Promise<Solution[]> {
  const pattern = q === null ? null : `%${q.replace(/[\\%_]/g, '\\$&')}%`
  return select(
    executor,
    sql`(${status}::text is null or status = ${status})
      and (${pattern}::text is null or question ilike ${pattern} or solution ilike ${pattern})
      and (${before}::text is null or (created_at, solution_id) <
        (select created_at, solution_id from human_solutions where solution_id = ${before}))
      order by created_at desc, solution_id desc limit ${limit}`,
  )
}

/** The text that was published, and what the reviewer was told of it. */
export type Approval = Pick<
  Solution,
  'docId' | 'question' | 'solution' | 'masked' | 'warnings' | 'similar' | 'reviewer'
>

export async function approveSolution(executor: Executor, solutionId: string, approval: Approval): Promise<Solution> {
  const { docId, question, solution, masked, warnings, similar, reviewer } = approval
  const { rows } = await sql<Solution>`update human_solutions set status = 'approved', doc_id = ${docId},
      question = ${question}, solution = ${solution}, masked = ${toJson(masked)}::jsonb,
      warnings = ${toJson(warnings)}::jsonb, similar_passages = ${toJson(similar)}::jsonb, reviewer = ${reviewer},
      reviewed_at = clock_timestamp(), updated_at = clock_timestamp()
    where solution_id = ${solutionId} returning ${columns}`.execute(executor)
  return rows[0] as Solution
}

/** Rejects a solution that nobody has reviewed; undefined otherwise. */
export async function rejectSolution(
  executor: Executor,
  solutionId: string,
  { reason, reviewer }: { reason: string; reviewer: string | null },
): Promise<Solution | undefined> {
  const { rows } = await sql<Solution>`update human_solutions set status = 'rejected', reason = ${reason},
      reviewer = ${reviewer},
      reviewed_at = clock_timestamp(), updated_at = clock_timestamp()
    where solution_id = ${solutionId} and status = 'pending' returning ${columns}`.execute(executor)
  return rows[0]
}

/** Has a reviewed solution wait for review again; undefined: nobody has reviewed it, or it became another document. */
export async function reopenSolution(
  executor: Executor,
  solutionId: string,
  docId: string | null,
): Promise<Solution | undefined> {
  const { rows } = await sql<Solution>`update human_solutions set status = 'pending', doc_id = null, reason = null,
      reviewer = null, reviewed_at = null, revision = revision + 1, updated_at = clock_timestamp()
    where solution_id = ${solutionId} and status in ('approved', 'rejected')
      and doc_id is not distinct from ${docId} returning ${columns}`.execute(executor)
  return rows[0]
}

/** Those that nobody has reviewed, newest first, and a text that changes whenever any of them does. */
export async function listWaiting(executor: Executor, limit: number) {
  const { rows } = await sql<{ solutionId: string; question: string }>`select solution_id as "solutionId", question
    from human_solutions where status not in ('approved', 'rejected')
    order by created_at desc, solution_id limit ${limit}`.execute(executor)
  const { rows: counted } = await sql<{ marker: string }>`select count(*) || ':' ||
    coalesce(extract(epoch from max(updated_at))::text, '') as marker
    from human_solutions where status not in ('approved', 'rejected')`.execute(executor)
  return { solutions: rows, marker: counted[0]?.marker ?? '' }
}
