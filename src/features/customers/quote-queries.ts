import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { MinedProblem, StoredReport } from './types.ts'

/** Quotes of conversations elsewhere: mined problems and their reports, cases of approved answers and their reports. */

const PAGE = 100

/** Things made of conversations that may be quoted elsewhere. */
export async function quotesOf(executor: Executor, sessionIds: readonly string[]) {
  const ids = [...sessionIds]
  const { rows: tickets } = await sql<{ id: string }>`select ticket_id as id from tickets
    where session_id = any(${ids}::text[])`.execute(executor)
  const { rows: solutions } = await sql<{ id: string }>`select solution_id as id from human_solutions
    where session_id = any(${ids}::text[]) and session_id <> ''`.execute(executor)
  return { ticketIds: tickets.map(({ id }) => id), solutionIds: solutions.map(({ id }) => id) }
}

/** Problems that were found in one of the tickets; `next`: where the next page begins, null after the last one. */
export async function minedProblems(
  executor: Executor,
  ticketIds: readonly string[],
  after: string,
): Promise<{ problems: MinedProblem[]; next: string | null }> {
  const { rows } = await sql<MinedProblem & { isMeant: boolean }>`
    select c.cluster_id as "clusterId", c.solution_id as "solutionId", s.status as "solutionStatus",
      jsonb_exists_any(c.ticket_ids, ${[...ticketIds]}::text[]) as "isMeant"
    from mining_clusters c left join human_solutions s on s.solution_id = c.solution_id
    where c.cluster_id > ${after} order by c.cluster_id limit ${PAGE}`.execute(executor)
  const problems = rows.filter(({ isMeant }) => isMeant)
  return { problems, next: rows.length < PAGE ? null : (rows.at(-1)?.clusterId ?? null) }
}

export async function forgetTickets(trx: Executor, clusterId: string, ticketIds: readonly string[]): Promise<object> {
  await sql`update mining_clusters set ticket_ids = ticket_ids - ${[...ticketIds]}::text[]
    where cluster_id = ${clusterId}`.execute(trx)
  return {}
}

/** A problem that nobody has judged: the next run finds it anew where the other tickets still show it. */
export async function removeProblem(trx: Executor, { clusterId, solutionId }: MinedProblem): Promise<void> {
  await sql`delete from human_solutions where solution_id = ${solutionId} and status = 'pending'`.execute(trx)
  await sql`delete from mining_clusters where cluster_id = ${clusterId}`.execute(trx)
}

/** A problem that was judged stays known, so that it is not proposed again, but without its words. */
export async function blankProblem(trx: Executor, { clusterId, solutionId }: MinedProblem): Promise<void> {
  await sql`update human_solutions set question = '', solution = '', similar_passages = '[]', masked = '[]',
      warnings = '[]', details = details - 'ticket_ids' - 'keywords' where solution_id = ${solutionId}`.execute(trx)
  await sql`update mining_clusters set question = '', solution = '', profile = '{}'
    where cluster_id = ${clusterId}`.execute(trx)
}

/** Questions of the cases that were made when these solutions were approved. */
export async function caseQueries(executor: Executor, solutionIds: readonly string[]): Promise<string[]> {
  if (solutionIds.length === 0) return []
  const sources = solutionIds.map((id) => `solution:${id}`)
  const { rows } = await sql<{ query: string }>`select query from evaluation_cases
    where jsonb_exists_any((content::jsonb)->'expectedSources', ${sources}::text[])`.execute(executor)
  return rows.map(({ query }) => query)
}

export async function removeCases(trx: Executor, solutionIds: readonly string[]): Promise<number> {
  const sources = solutionIds.map((id) => `solution:${id}`)
  const { numAffectedRows = 0n } = await sql`delete from evaluation_cases
    where jsonb_exists_any((content::jsonb)->'expectedSources', ${sources}::text[])`.execute(trx)
  return Number(numAffectedRows)
}

/** The next report that may quote: mining keeps some, evaluation as many as it is told to. */
export async function nextReport(
  executor: Executor,
  kind: StoredReport['kind'],
  after: number,
): Promise<StoredReport | null> {
  const { rows } =
    kind === 'mining'
      ? await sql<StoredReport>`select ordinal, report_id as "reportId", report as body, null as cases
          from mining_runs where ordinal > ${after} and report is not null order by ordinal limit 1`.execute(executor)
      : await sql<StoredReport>`select ordinal, report_id as "reportId", summary as body, cases
          from evaluation_reports where ordinal > ${after} order by ordinal limit 1`.execute(executor)
  const [row] = rows
  return row ? { ...row, kind } : null
}

export async function saveReport(executor: Executor, { kind, reportId, body, cases }: StoredReport): Promise<void> {
  if (kind === 'mining') {
    await sql`update mining_runs set report = ${toJson(body)}::json where report_id = ${reportId}`.execute(executor)
  } else {
    await sql`update evaluation_reports set summary = ${toJson(body)}::json, cases = ${toJson(cases)}::json
      where report_id = ${reportId}`.execute(executor)
  }
}
