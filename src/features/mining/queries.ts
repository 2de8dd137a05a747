import { sql } from 'kysely'
import { type Database, type Executor, toJson } from '../../platform/postgres/index.ts'
import type { KnownCluster, MinedTicket, MiningReport, NewTicket, RunState, StoredRun, TicketFilter } from './types.ts'

/** Stores the ticket of a conversation; false when the conversation is gone: nothing is made of it then. */
export async function saveSessionTicket(db: Database, ticket: NewTicket, sessionId: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    const { rows } = await sql`select session_id from chat_sessions where session_id = ${sessionId} for share`.execute(
      trx,
    )
    if (rows.length === 0) return false
    await storeTickets(trx, [ticket], sessionId)
    return true
  })
}

/** Stores tickets; those that are there just so already stay as they are. `tickets` holds each id once. */
export async function saveTickets(db: Database, tickets: readonly NewTicket[]): Promise<SavedTickets> {
  return db.transaction((trx) => storeTickets(trx, tickets, null))
}

interface SavedTickets {
  imported: number
  updated: number
}

/** @param sessionId of the conversation that they were made of; null: they are imported */
async function storeTickets(
  trx: Executor,
  tickets: readonly NewTicket[],
  sessionId: string | null,
): Promise<SavedTickets> {
  const rows = toJson(tickets)
  // Locked in one order, so that two imports of the same tickets do not wait for each other.
  const { rows: known } = await sql<{ id: string }>`select ticket_id as id from tickets
    where ticket_id in (select value->>'ticketId' from jsonb_array_elements(${rows}::jsonb))
    order by ticket_id for update`.execute(trx)
  const existing = new Set(known.map(({ id }) => id))
  const { rows: changed } = await sql<{ id: string }>`
    with given as (
      select * from jsonb_to_recordset(${rows}::jsonb) as g("ticketId" text, subject text, content text,
        solution text, status text, category text, "createdAt" timestamptz)
    )
    insert into tickets as t (ticket_id, subject, content, solution, status, category, origin, session_id,
        created_at)
    select g."ticketId", g.subject, g.content, g.solution, g.status, g.category,
        ${sessionId === null ? 'import' : 'session'}, ${sessionId}::text,
      coalesce(g."createdAt", old.created_at, now())
    from given g left join tickets old on old.ticket_id = g."ticketId"
    order by g."ticketId"
    on conflict (ticket_id) do update set subject = excluded.subject, content = excluded.content,
      solution = excluded.solution, status = excluded.status, category = excluded.category,
      created_at = excluded.created_at, imported_at = now()
    where (t.subject, t.content, t.solution, t.status, t.category, t.created_at) is distinct from
      (excluded.subject, excluded.content, excluded.solution, excluded.status, excluded.category, excluded.created_at)
    returning ticket_id as id`.execute(trx)
  const updated = changed.filter(({ id }) => existing.has(id)).length
  return { imported: changed.length - updated, updated }
}

/** Those of `ticketIds` that are stored. */
export async function findTicketIds(executor: Executor, ticketIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select ticket_id as id from tickets
    where ticket_id in (select jsonb_array_elements_text(${toJson(ticketIds)}::jsonb))`.execute(executor)
  return new Set(rows.map(({ id }) => id))
}

function matching({ from, to, status }: TicketFilter) {
  return sql`(${from}::timestamptz is null or created_at >= ${from}) and (${to}::timestamptz is null or created_at <= ${to})
    and (${status}::text is null or status = ${status})`
}

export async function countTickets(executor: Executor, filter: TicketFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from tickets
    where ${matching(filter)}`.execute(executor)
  return rows[0]?.count ?? 0
}

export interface PagedTicket extends MinedTicket {
  status: string
  createdAt: Date
}

/** The rest of a ticket's content says nothing about which problem it is. */
const CONTENT_READ = 4_000

/** The next tickets, oldest first; what comes after `after`. */
export async function pageTickets(
  executor: Executor,
  filter: TicketFilter,
  after: Pick<PagedTicket, 'createdAt' | 'ticketId'> | null,
  limit: number,
): Promise<PagedTicket[]> {
  const { rows } = await sql<PagedTicket>`select ticket_id as "ticketId", subject,
      left(content, ${CONTENT_READ}::integer) as content, solution, status, category, created_at as "createdAt"
    from tickets where ${matching(filter)} and (${after === null}
      or (created_at, ticket_id) > (${after?.createdAt ?? null}::timestamptz, ${after?.ticketId ?? null}::text))
    order by created_at, ticket_id limit ${limit}`.execute(executor)
  return rows
}

export async function findSolutions(executor: Executor, ticketIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; solution: string }>`select ticket_id as id, solution from tickets
    where ticket_id in (select jsonb_array_elements_text(${toJson(ticketIds)}::jsonb))`.execute(executor)
  return new Map(rows.map(({ id, solution }) => [id, solution]))
}

/** The longest known first comes the one that was seen last. */
export async function listClusters(executor: Executor): Promise<KnownCluster[]> {
  const { rows } = await sql<KnownCluster>`select cluster_id as "clusterId", solution_id as "solutionId", question,
      solution, profile, ticket_ids as "ticketIds"
    from mining_clusters order by updated_at desc, cluster_id`.execute(executor)
  return rows
}

/** Keeps the candidate that the cluster has. */
export async function saveCluster(executor: Executor, cluster: Omit<KnownCluster, 'solutionId'>): Promise<void> {
  const { clusterId, question, solution, profile, ticketIds } = cluster
  await sql`insert into mining_clusters (cluster_id, question, solution, profile, ticket_ids)
    values (${clusterId}, ${question}, ${solution}, ${toJson(profile)}::jsonb, ${toJson(ticketIds)}::jsonb)
    on conflict (cluster_id) do update set question = excluded.question, solution = excluded.solution,
      profile = excluded.profile, ticket_ids = excluded.ticket_ids, updated_at = now()`.execute(executor)
}

export async function noteCandidate(executor: Executor, clusterId: string, solutionId: string): Promise<void> {
  await sql`update mining_clusters set solution_id = ${solutionId} where cluster_id = ${clusterId}`.execute(executor)
}

const FORGET_AFTER_DAYS = 180

/** Forgets problems that never became candidates and were not found for half a year. */
export async function forgetClusters(executor: Executor): Promise<void> {
  await sql`delete from mining_clusters where solution_id is null
    and updated_at < now() - make_interval(days => ${FORGET_AFTER_DAYS})`.execute(executor)
}

/** Notes a new run; whoever calls this is the only one that runs, so others that seem to are dead. */
export async function startRun(
  executor: Executor,
  { reportId, startedAt, filter }: { reportId: string; startedAt: Date; filter: TicketFilter },
): Promise<void> {
  const filters = toJson({ start_time: filter.from, end_time: filter.to, status: filter.status })
  await sql`update mining_runs set state = 'interrupted', finished_at = now() where state = 'running'`.execute(executor)
  await sql`insert into mining_runs (report_id, state, filters, started_at)
    values (${reportId}, 'running', ${filters}::json, ${startedAt})`.execute(executor)
}

const KEPT_RUNS = 20

export async function finishRun(executor: Executor, report: MiningReport): Promise<void> {
  await sql`update mining_runs set state = 'finished', report = ${toJson(report)}::json,
    finished_at = ${report.finishedAt}::timestamptz where report_id = ${report.reportId}`.execute(executor)
  await sql`delete from mining_runs where ordinal not in
    (select ordinal from mining_runs order by ordinal desc limit ${KEPT_RUNS})
    and report_id <> ${report.reportId}`.execute(executor)
}

export async function failRun(
  executor: Executor,
  { reportId, state, error }: { reportId: string; state: RunState; error: string },
): Promise<void> {
  await sql`update mining_runs set state = ${state}, error = ${error}, finished_at = now()
    where report_id = ${reportId}`.execute(executor)
}

export async function findLatestReport(executor: Executor): Promise<MiningReport | null> {
  const { rows } = await sql<{ report: MiningReport }>`select report from mining_runs where state = 'finished'
    order by ordinal desc limit 1`.execute(executor)
  return rows[0]?.report ?? null
}

export async function findReport(executor: Executor, reportId: string): Promise<MiningReport | null> {
  const { rows } = await sql<{ report: MiningReport | null }>`select report from mining_runs
    where report_id = ${reportId}`.execute(executor)
  return rows[0]?.report ?? null
}

export async function findLastRun(executor: Executor): Promise<StoredRun | null> {
  const { rows } = await sql<StoredRun>`select report_id as "reportId", state,
      filters->>'start_time' as "startTime", filters->>'end_time' as "endTime", filters->>'status' as status, error,
      started_at as "startedAt", finished_at as "finishedAt"
    from mining_runs order by ordinal desc limit 1`.execute(executor)
  return rows[0] ?? null
}

export async function readSessionsCursor(executor: Executor): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from mining_sessions_cursor`.execute(executor)
  return rows[0]?.seq ?? 0
}

/** Never goes back: another replica may be ahead. */
export async function advanceSessionsCursor(executor: Executor, seq: number): Promise<void> {
  await sql`insert into mining_sessions_cursor as c (seq) values (${seq})
    on conflict (only_row) do update set seq = greatest(c.seq, excluded.seq)`.execute(executor)
}
