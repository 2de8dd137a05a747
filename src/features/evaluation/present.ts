import type { Comparison, FlippedCase } from './compare.ts'
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
  return {
    total_queries: figures.totalQueries,
    'recall@1': figures.recallAt1,
    'recall@3': figures.recallAt3,
    'recall@5': figures.recallAt5,
    'recall@10': figures.recallAt10,
    hit_rate: figures.hitRate,
    mrr: figures.mrr,
    'ndcg@5': figures.ndcgAt5,
    answer_accuracy: figures.answerAccuracy,
  }
}

function presentCase(result: CaseResult) {
  return {
    query: result.query,
    category: result.category,
    history: result.history.map(({ role, content }) => ({ role, content })),
    expected: {
      sources: [...result.expectedSources],
      doc_ids: [...result.expectedDocIds],
      content: [...result.expectedContent],
    },
    queries: result.queries,
    retrieved: result.retrieved.map(({ chunkId, docId, ...passage }) => ({
      chunk_id: chunkId,
      doc_id: docId,
      ...passage,
    })),
    hit: result.hit,
    rank: result.rank,
    latency_ms: round(result.latencyMs),
    answer: result.answer,
    confidence: result.confidence,
    answer_correct: result.answerRight,
  }
}

export function presentComparison({ a, b, ...comparison }: Comparison & { a: ReportSummary; b: ReportSummary }) {
  return {
    a: presentSummary(a),
    b: presentSummary(b),
    shared_cases: comparison.sharedCases,
    only_in_a: comparison.onlyInA,
    only_in_b: comparison.onlyInB,
    metrics: comparison.metrics,
    improved: comparison.improved.map(presentFlipped),
    worsened: comparison.worsened.map(presentFlipped),
    warnings: comparison.warnings,
  }
}

function presentFlipped({ rankA, rankB, ...flipped }: FlippedCase) {
  return { ...flipped, rank_a: rankA, rank_b: rankB }
}

/** Hundredths of a millisecond. */
function round(ms: number): number {
  return Math.round(ms * 100) / 100
}
