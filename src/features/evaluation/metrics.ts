import { type CaseResult, type Figures, isAnswerable } from './types.ts'

/** A figure of a report, which is the mean over its cases. */
export interface Metric {
  /** As answers name it. */
  name: string
  figure: Exclude<keyof Figures, 'totalQueries'>
  /** Over the cases that have something to find alone. */
  isRetrieval: boolean
  measure: (result: CaseResult) => number
}

const retrieval = (name: string, figure: Metric['figure'], measure: Metric['measure']): Metric => {
  return { name, figure, isRetrieval: true, measure }
}
const overall = (name: string, figure: Metric['figure'], measure: Metric['measure']): Metric => {
  return { name, figure, isRetrieval: false, measure }
}

/**
 * Retrieval is measured on the cases that have something to find: recall@k is the share of what a case expects that is
 * among the first k passages, averaged over cases; mrr is 1 / rank of the first relevant passage. `hitRate` and
 * `answerAccuracy` are over all cases, of which the unanswerable ones count as right when no answer was claimed.
 */
export const METRICS: readonly Metric[] = [
  retrieval('recall@1', 'recallAt1', (result) => recallAt(result, 1)),
  retrieval('recall@3', 'recallAt3', (result) => recallAt(result, 3)),
  retrieval('recall@5', 'recallAt5', (result) => recallAt(result, 5)),
  retrieval('recall@10', 'recallAt10', (result) => recallAt(result, 10)),
  overall('hit_rate', 'hitRate', ({ hit }) => Number(hit)),
  retrieval('mrr', 'mrr', reciprocalRank),
  retrieval('ndcg@5', 'ndcgAt5', (result) => ndcgAt(result, 5)),
  overall('answer_accuracy', 'answerAccuracy', ({ answerRight }) => Number(answerRight)),
]

export function figuresOf(results: readonly CaseResult[]): Figures {
  const answerable = results.filter(isAnswerable)
  const means = METRICS.map(({ figure, isRetrieval, measure }) => {
    if (!isRetrieval) return [figure, mean(results.map(measure))]
    return [figure, answerable.length === 0 ? null : mean(answerable.map(measure))]
  })
  return { totalQueries: results.length, ...Object.fromEntries(means) }
}

/** The same for each category, in the order in which they first appear. */
export function figuresByCategory(results: readonly CaseResult[]): Record<string, Figures> {
  const groups = Map.groupBy(results, ({ category }) => category)
  return Object.fromEntries([...groups].map(([category, group]) => [category, figuresOf(group)]))
}

/** 0 to 1; of a case that expects something. */
export function recallAt({ targetRanks }: Pick<CaseResult, 'targetRanks'>, k: number): number {
  return targetRanks.filter((rank) => rank !== null && rank <= k).length / targetRanks.length
}

export function reciprocalRank({ rank }: Pick<CaseResult, 'rank'>): number {
  return rank === null ? 0 : 1 / rank
}

/**
 * Normalised discounted cumulative gain, 0 to 1; the gain of a passage is the number of expected things that it is the
 * first to show. Source: K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20
 * (2002), with the logarithm to base 2 of rank + 1.
 */
export function ndcgAt({ targetRanks }: Pick<CaseResult, 'targetRanks'>, k: number): number {
  const gain = sum(targetRanks.map((rank) => (rank !== null && rank <= k ? discount(rank) : 0)))
  const ideal = sum(targetRanks.slice(0, k).map((_, i) => discount(i + 1)))
  // One passage may show several things at once, which is better than the ideal of one each.
  return Math.min(1, gain / ideal)
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 1)
}

/** Nearest-rank percentile; 0 without values. @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** 0 without values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
