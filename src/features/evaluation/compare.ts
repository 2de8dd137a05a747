import { bootstrapInterval, verdictOf } from './bootstrap.ts'
import { METRICS, type Metric, mean } from './metrics.ts'
import { type CaseResult, isAnswerable, type Report } from './types.ts'

export type Comparison = ReturnType<typeof compareReports>

type Pair = { a: CaseResult; b: CaseResult }

/** Changes from report `a` to report `b`, case by case. */
export function compareReports(a: Report, b: Report) {
  const pairs = pairUp(a.cases, b.cases)
  return {
    /** Cases that both reports have; what follows is about them. */
    sharedCases: pairs.length,
    onlyInA: a.cases.length - pairs.length,
    onlyInB: b.cases.length - pairs.length,
    metrics: METRICS.flatMap((metric) => compareMetric(metric, pairs) ?? []),
    /** Right in b, wrong in a. */
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

function compareMetric({ name, isRetrieval, measure }: Metric, pairs: readonly Pair[]) {
  const isMeant = ({ a, b }: Pair): boolean => !isRetrieval || (isAnswerable(a) && isAnswerable(b))
  const values = pairs.filter(isMeant).map(({ a, b }) => ({ before: measure(a), after: measure(b) }))
  if (values.length === 0) return undefined
  const differences = values.map(({ before, after }) => after - before)
  const interval = bootstrapInterval(differences)
  return {
    metric: name,
    a: mean(values.map(({ before }) => before)),
    b: mean(values.map(({ after }) => after)),
    /** b - a; `low` and `high` are the ends of its 95 % confidence interval. */
    difference: mean(differences),
    ...interval,
    verdict: verdictOf(interval),
  }
}

function flips(pairs: readonly Pair[]) {
  return pairs.flatMap(({ a, b }) => {
    const flipped = (what: 'hit' | 'answer') => ({
      query: a.query,
      category: a.category,
      what,
      rankA: a.rank,
      rankB: b.rank,
    })
    return [
      ...(!a.hit && b.hit ? [flipped('hit')] : []),
      ...(!a.answerRight && b.answerRight ? [flipped('answer')] : []),
    ]
  })
}

function swapRanks<Flipped extends { rankA: unknown; rankB: unknown }>(flipped: Flipped): Flipped {
  return { ...flipped, rankA: flipped.rankB, rankB: flipped.rankA }
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
