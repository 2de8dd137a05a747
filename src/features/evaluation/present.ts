import type { Static } from 'typebox'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import type { Comparison } from './compare.ts'
import { METRICS } from './metrics.ts'
import type { FiguresBody } from './schemas.ts'
import type { CaseResult, Figures, Report, ReportSummary } from './types.ts'

export function presentSummary(report: ReportSummary) {
  return {
    report_id: report.reportId,
    created_at: report.createdAt.toISOString(),
    testset: report.testset,
    top_k: report.topK,
    ...presentFigures(report),
    avg_latency_ms: round(report.avgLatencyMs),
    p95_latency_ms: round(report.p95LatencyMs),
    by_category: Object.fromEntries(
      Object.entries(report.byCategory).map(([category, figures]) => [category, presentFigures(figures)]),
    ),
    params: report.params,
    knowledge_version: report.knowledgeVersion,
    recommendations: report.recommendations,
  }
}

export function presentReport(report: Report) {
  return { ...presentSummary(report), cases: report.cases.map(presentCase) }
}

function presentFigures(figures: Figures) {
  const named = Object.fromEntries(METRICS.map(({ name, figure }) => [name, figures[figure]]))
  return { total_queries: figures.totalQueries, ...named } as Static<typeof FiguresBody>
}

function presentCase({ targetRanks: _, ...result }: CaseResult) {
  const { expectedSources, expectedDocIds, expectedContent, latencyMs, answerRight, ...rest } = result
  return {
    ...toSnakeCase(rest),
    expected: { sources: [...expectedSources], doc_ids: [...expectedDocIds], content: [...expectedContent] },
    latency_ms: round(latencyMs),
    answer_correct: answerRight,
  }
}

export function presentComparison({ a, b, ...comparison }: Comparison & { a: ReportSummary; b: ReportSummary }) {
  return { a: presentSummary(a), b: presentSummary(b), ...toSnakeCase(comparison) }
}

/** Hundredths of a millisecond. */
function round(ms: number): number {
  return Math.round(ms * 100) / 100
}
