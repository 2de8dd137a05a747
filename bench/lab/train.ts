// Learns, cross-validates and calibrates the weights of ranking: node bench/lab/train.ts FIXTURES [--ablate]
import { SIGNALS } from '../../src/features/knowledge/retrieval/ranking/relevance.ts'
import { abstentionCases, auroc, platt, topScore } from './abstention.ts'
import { allCases, type Case } from './cases.ts'
import { loadDocuments, loadQueries } from './fixtures.ts'
import { crossValidate, format, ranksOf, train } from './model.ts'

const POINTWISE = 0.05
const FOLDS = 5

const root = process.argv[2]!
const cases = await allCases(await loadDocuments(root), loadQueries(root), root)
console.log('columns: P@1, hit@5, MRR@10, found among the candidates; cross-validated by query')
console.log('later first  '.padEnd(24), format(crossValidate(cases, { pointwise: POINTWISE })))
console.log('earlier first'.padEnd(24), format(crossValidate(cases, { pointwise: POINTWISE }, false)))
if (process.argv.includes('--ablate')) {
  for (const name of SIGNALS) {
    const use = SIGNALS.filter((other) => other !== name)
    console.log(`without ${name}`.padEnd(24), format(crossValidate(cases, { use, pointwise: POINTWISE })))
  }
}

const weights = train(cases, { pointwise: POINTWISE })
const groups = await abstentionCases(root)
const models = Array.from({ length: FOLDS }, (_, fold) =>
  train(
    cases.filter((c) => c.fold % FOLDS !== fold),
    { pointwise: POINTWISE },
  ),
)
const unseen = (c: Case): number => topScore(c, models[c.fold % FOLDS]!)
for (const { name, own, foreign, removed } of groups) {
  const answerable = own.map(unseen)
  console.log(
    `abstention ${name}: foreign ${auroc(answerable, foreign.map(unseen)).toFixed(3)}, answer removed ${auroc(answerable, removed.map(unseen)).toFixed(3)}`,
  )
}

// Calibration: the first hit of every query, answerable or not.
const first: { score: number; right: boolean; share: number }[] = []
for (const { own, foreign, removed } of groups) {
  for (const [part, share] of [
    [own, 1],
    [foreign, 0.25],
    [removed, 1],
  ] as const) {
    for (const c of part) {
      const ranked = ranksOf(c, models[c.fold % FOLDS]!)
      const best = ranked.order[0]
      if (best !== undefined) first.push({ score: ranked.scores[best]!, right: c.relevant[best]!, share })
    }
  }
}
const { a, b } = platt(
  first.map(({ score }) => score),
  first.map(({ right }) => right),
  first.map(({ share }) => share),
)
const probability = (score: number): number => 1 / (1 + Math.exp(-(a * score + b)))
console.log(`platt a ${a.toFixed(3)} b ${b.toFixed(3)}`)
console.log('score of the first hit, queries, share right:')
for (let low = 0; low < 1; low += 0.1) {
  const bin = first.filter(({ score }) => probability(score) >= low && probability(score) < low + 0.1)
  const right = bin.filter((entry) => entry.right).length
  if (bin.length > 0)
    console.log(
      `  ${low.toFixed(1)}-${(low + 0.1).toFixed(1)} ${String(bin.length).padStart(5)} ${(right / bin.length).toFixed(2)}`,
    )
}
console.log('weights of the calibrated model:')
console.log(
  [...SIGNALS, 'bias']
    .map((name, i) => `  ${name}: ${(a * weights[i]! + (name === 'bias' ? b : 0)).toFixed(2)},`)
    .join('\n'),
)
