import { bootstrapInterval, type Interval, verdictOf } from './bootstrap.ts'
import { mean, ndcgAt, recallAt, reciprocalRank } from './metrics.ts'
import { type CaseResult, isAnswerable, type Report } from './types.ts'

export interface MetricComparison extends Interval {
  metric: string
  a: number
  b: number
  /** b - a; `low` and `high` are the ends of its 95 % confidence interval. */
  difference: number
  verdict: 'better' | 'not_significant' | 'worse'
}

export interface FlippedCase {
  query: string
  category: string
  /** What flipped. */
  what: 'hit' | 'answer'
  rankA: number | null
  rankB: number | null
}

export interface Comparison {
  /** Cases that both reports have; what follows is about them. */
  sharedCases: number
  onlyInA: number
  onlyInB: number
  metrics: MetricComparison[]
  /** Right in b, wrong in a. */
  improved: FlippedCase[]
  worsened: FlippedCase[]
  warnings: string[]
}

type Pair = { a: CaseResult; b: CaseResult }

/** Measures a case; null: it says nothing about this metric. */
type Measure = (result: CaseResult) => number | null

const whenAnswerable =
  (measure: (result: CaseResult) => number): Measure =>
  (result) =>
    isAnswerable(result) ? measure(result) : null

const METRICS: Record<string, Measure> = {
  'recall@1': whenAnswerable((result) => recallAt(result, 1)),
  'recall@3': whenAnswerable((result) => recallAt(result, 3)),
  'recall@5': whenAnswerable((result) => recallAt(result, 5)),
  'recall@10': whenAnswerable((result) => recallAt(result, 10)),
  hit_rate: ({ hit }) => Number(hit),
  mrr: whenAnswerable(reciprocalRank),
  'ndcg@5': whenAnswerable((result) => ndcgAt(result, 5)),
  answer_accuracy: ({ answerRight }) => Number(answerRight),
}

/** What changed from report `a` to report `b`, case by case. */
export function compareReports(a: Report, b: Report): Comparison {
  const pairs = pairUp(a.cases, b.cases)
  return {
    sharedCases: pairs.length,
    onlyInA: a.cases.length - pairs.length,
    onlyInB: b.cases.length - pairs.length,
    metrics: Object.entries(METRICS).flatMap(([metric, measure]) => compareMetric(metric, measure, pairs) ?? []),
    improved: flips(pairs),
    worsened: flips(pairs.map(({ a: before, b: after }) => ({ a: after, b: before }))).map(swapRanks),
    warnings: warningsFor(a, b, pairs.length),
  }
}

/** The same question after the same conversation; of repeated ones the first with the first. */
function pairUp(a: readonly CaseResult[], b: readonly CaseResult[]): Pair[] {
  const waiting = Map.groupBy(b, keyOf)
  return a.flatMap((before) => {
    const after = waiting.get(keyOf(before))?.shift()
    return after ? [{ a: before, b: after }] : []
  })
}

function keyOf({ query, history }: CaseResult): string {
  return JSON.stringify([query, history])
}

function compareMetric(metric: string, measure: Measure, pairs: readonly Pair[]): MetricComparison | undefined {
  const values = pairs.flatMap((pair) => {
    const [before, after] = [measure(pair.a), measure(pair.b)]
    return before === null || after === null ? [] : [{ before, after }]
  })
  if (values.length === 0) return undefined
  const differences = values.map(({ before, after }) => after - before)
  const interval = bootstrapInterval(differences)
  return {
    metric,
    a: mean(values.map(({ before }) => before)),
    b: mean(values.map(({ after }) => after)),
    difference: mean(differences),
    ...interval,
    verdict: verdictOf(interval),
  }
}

function flips(pairs: readonly Pair[]): FlippedCase[] {
  return pairs.flatMap(({ a, b }) => {
    const { query, category } = a
    const ranks = { rankA: a.rank, rankB: b.rank }
    const flipped = (what: FlippedCase['what']): FlippedCase => ({ query, category, what, ...ranks })
    return [
      ...(!a.hit && b.hit ? [flipped('hit')] : []),
      ...(!a.answerRight && b.answerRight ? [flipped('answer')] : []),
    ]
  })
}

function swapRanks({ rankA, rankB, ...flipped }: FlippedCase): FlippedCase {
  return { ...flipped, rankA: rankB, rankB: rankA }
}

function warningsFor(a: Report, b: Report, shared: number): string[] {
  return [
    ...(shared === 0 ? ['The reports have no case in common'] : []),
    ...(shared > 0 && shared < Math.max(a.cases.length, b.cases.length)
      ? [`The reports are about different sets; only the ${shared} cases that both have are compared`]
      : []),
    ...(a.topK !== b.topK ? [`hit_rate counts the first ${a.topK} passages in a and the first ${b.topK} in b`] : []),
    ...(a.knowledgeVersion !== b.knowledgeVersion ? ['The knowledge base changed between the reports'] : []),
  ]
}
