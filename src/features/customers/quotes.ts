import type { Database } from '../../platform/postgres/index.ts'
import {
  blankProblem,
  caseQueries,
  forgetTickets,
  minedProblems,
  nextReport,
  quotesOf,
  removeCases,
  removeProblem,
  saveReport,
} from './quote-queries.ts'
import { type Removal, step } from './steps.ts'
import type { MinedProblem, StoredReport } from './types.ts'

/** Stands where a report quoted somebody who was erased. */
const ERASED = '[erased]'

/**
 * Removes what quotes conversations elsewhere. Of those that are removed for their age only the reference goes: what was
 * mined is masked, and what was approved is the shop's.
 */
export async function removeQuotes(removal: Removal, sessionIds: readonly string[]): Promise<void> {
  const quotes = await quotesOf(removal.db.executor, sessionIds)
  const problems = await problemsOf(removal.db, quotes.ticketIds)
  if (removal.reason === 'age') {
    for (const { clusterId } of problems) {
      await step(removal, async (trx) => ({ counts: await forgetTickets(trx, clusterId, quotes.ticketIds) }))
    }
    return
  }
  const solutionIds = [...quotes.solutionIds, ...problems.flatMap(({ solutionId }) => solutionId ?? [])]
  const queries = await caseQueries(removal.db.executor, solutionIds)
  if (quotes.ticketIds.length > 0) await cleanReports(removal, 'mining', quotes.ticketIds, [])
  if (queries.length > 0) await cleanReports(removal, 'evaluation', [], queries)
  for (const problem of problems) await removeProblemOf(removal, problem, quotes.ticketIds)
  if (solutionIds.length > 0) {
    await step(removal, async (trx) => ({ counts: { evaluation_cases: await removeCases(trx, solutionIds) } }))
  }
}

async function problemsOf(db: Database, ticketIds: readonly string[]): Promise<MinedProblem[]> {
  if (ticketIds.length === 0) return []
  const found: MinedProblem[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = await minedProblems(db.executor, ticketIds, after)
    found.push(...page.problems)
    after = page.next
  }
  return found
}

async function removeProblemOf(removal: Removal, problem: MinedProblem, ticketIds: readonly string[]): Promise<void> {
  const isJudged = problem.solutionStatus !== null && problem.solutionStatus !== 'pending'
  await step(removal, async (trx) => {
    await forgetTickets(trx, problem.clusterId, ticketIds)
    await (isJudged ? blankProblem(trx, problem) : removeProblem(trx, problem))
    return { counts: { mined_problems: 1 } }
  })
}

/** Reports keep their numbers and lose their quotes. */
async function cleanReports(
  removal: Removal,
  kind: StoredReport['kind'],
  ticketIds: readonly string[],
  queries: readonly string[],
): Promise<void> {
  const { db } = removal
  for (let after = 0; ; ) {
    const report = await nextReport(db.executor, kind, after)
    if (!report) return
    after = report.ordinal
    const cleaned = cleanReport(report, ticketIds, queries)
    await step(removal, async (trx) => {
      if (cleaned) await saveReport(trx, cleaned)
      return { counts: {} }
    })
  }
}

/** Null: it quotes nothing of it. */
export function cleanReport(
  report: StoredReport,
  ticketIds: readonly string[],
  queries: readonly string[],
): StoredReport | null {
  const text = JSON.stringify([report.body, report.cases])
  const names = [...ticketIds, ...queries].map((each) => JSON.stringify(each).slice(1, -1))
  if (!names.some((name) => text.includes(name))) return null
  const asked = new Set(queries)
  const cases = Array.isArray(report.cases) ? report.cases.filter(({ query }) => !asked.has(query)) : report.cases
  return {
    ...report,
    body: without(withoutItems(report.body, new Set(ticketIds)), queries),
    cases: without(cases, queries),
  }
}

interface Rest {
  count: number
  samples: { ticketId: string; text: string }[]
}

/** A report of mining without the problems that were found in these tickets, and without their words among the rest. */
function withoutItems(body: unknown, ticketIds: ReadonlySet<string>): unknown {
  const { items, unclustered } = (body ?? {}) as { items?: unknown; unclustered?: Rest }
  if (!Array.isArray(items)) return body
  const kept = items.filter((item: { ticketIds?: string[] }) => !item.ticketIds?.some((id) => ticketIds.has(id)))
  const samples = unclustered?.samples.filter(({ ticketId }) => !ticketIds.has(ticketId))
  return { ...(body as object), items: kept, ...(samples && { unclustered: { ...unclustered, samples } }) }
}

/** The same value without the texts in which one of `words` stands. */
function without(value: unknown, words: readonly string[]): unknown {
  if (typeof value === 'string') return words.some((word) => word !== '' && value.includes(word)) ? ERASED : value
  if (Array.isArray(value)) return value.map((each) => without(each, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, without(each, words)]))
}
