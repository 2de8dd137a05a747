import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { CaseResult, EvaluationCase, Report, ReportSummary } from './types.ts'

type StoredSummary = Omit<ReportSummary, 'reportId' | 'createdAt'>

interface ReportRow {
  reportId: string
  summary: StoredSummary
  createdAt: Date
}

export interface StoredTestset {
  name: string
  cases: number
  categories: string[]
  /** Null: it comes with the program. */
  createdAt: Date | null
  updatedAt: Date | null
}

export async function insertReport(executor: Executor, report: Omit<Report, 'createdAt'>): Promise<Date> {
  const { reportId, cases, ...summary } = report
  const { rows } = await sql<{ createdAt: Date }>`
    insert into evaluation_reports (report_id, testset, summary, cases)
    values (${reportId}, ${report.testset}, ${toJson(summary)}::json, ${toJson(cases)}::json)
    returning created_at as "createdAt"`.execute(executor)
  return (rows[0] as { createdAt: Date }).createdAt
}

/** Newest first. */
export async function listReports(
  executor: Executor,
  { limit, offset }: { limit: number; offset: number },
): Promise<ReportSummary[]> {
  const { rows } = await sql<ReportRow>`select report_id as "reportId", summary, created_at as "createdAt"
    from evaluation_reports order by ordinal desc limit ${limit} offset ${offset}`.execute(executor)
  return rows.map(toSummary)
}

export async function findReport(executor: Executor, reportId: string): Promise<Report | null> {
  const { rows } = await sql<ReportRow & { cases: CaseResult[] }>`
    select report_id as "reportId", summary, cases, created_at as "createdAt"
    from evaluation_reports where report_id = ${reportId}`.execute(executor)
  const [row] = rows
  return row ? { ...toSummary(row), cases: row.cases } : null
}

function toSummary({ reportId, summary, createdAt }: ReportRow): ReportSummary {
  return { reportId, createdAt, ...summary }
}

export async function listTestsets(executor: Executor): Promise<StoredTestset[]> {
  const { rows } = await sql<StoredTestset>`
    select t.name, count(c.case_id) as cases, t.created_at as "createdAt", t.updated_at as "updatedAt",
      coalesce(jsonb_agg(distinct c.category) filter (where c.category is not null), '[]') as categories
    from evaluation_testsets t left join evaluation_cases c on c.testset = t.name
    group by t.name order by t.name`.execute(executor)
  return rows
}

/** Null: there is no such test set. */
export async function readTestset(executor: Executor, name: string): Promise<EvaluationCase[] | null> {
  const { rows } = await sql<{ content: EvaluationCase | null }>`select c.content
    from evaluation_testsets t left join evaluation_cases c on c.testset = t.name
    where t.name = ${name} order by c.case_id`.execute(executor)
  return rows.length === 0 ? null : rows.flatMap(({ content }) => content ?? [])
}

/** Creates the set or replaces its cases; false: it replaced some. Call it within a transaction. */
export async function saveTestset(
  executor: Executor,
  name: string,
  cases: readonly EvaluationCase[],
): Promise<boolean> {
  const isNew = await touchTestset(executor, name)
  if (!isNew) await sql`delete from evaluation_cases where testset = ${name}`.execute(executor)
  await insertCases(executor, name, cases)
  return isNew
}

/** Adds a case, in place of one with the same question. Call it within a transaction. */
export async function saveCase(executor: Executor, name: string, added: EvaluationCase): Promise<void> {
  await touchTestset(executor, name)
  await deleteCase(executor, name, added.query)
  await insertCases(executor, name, [added])
}

export async function deleteCase(executor: Executor, name: string, query: string): Promise<void> {
  await sql`delete from evaluation_cases where testset = ${name} and query = ${query}`.execute(executor)
}

export async function deleteTestset(executor: Executor, name: string): Promise<boolean> {
  const { rows } = await sql`delete from evaluation_testsets where name = ${name} returning name`.execute(executor)
  return rows.length > 0
}

/** Makes the set if it is not there, and keeps others from changing it until the transaction ends. */
async function touchTestset(executor: Executor, name: string): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`insert into evaluation_testsets as t (name) values (${name})
    on conflict (name) do update set updated_at = now()
    returning (xmax = 0) as "isNew"`.execute(executor)
  return rows[0]?.isNew ?? true
}

async function insertCases(executor: Executor, name: string, cases: readonly EvaluationCase[]): Promise<void> {
  const rows = cases.map((content) => ({ query: content.query, category: content.category, content }))
  await sql`insert into evaluation_cases (testset, query, category, content)
    select ${name}, query, category, content
    from json_to_recordset(${toJson(rows)}::json) as r(query text, category text, content json)`.execute(executor)
}
