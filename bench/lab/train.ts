// Learns, judges and calibrates the weights of ranking: node bench/lab/train.ts FIXTURES [--ablate] [--write FOLDER]
// With --write the weights of all sets replace those that ship, and FOLDER gets those learned without each set
// (`without-NAME.json`), by which the set that was left out is judged fairly.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SIGNALS } from '../../src/features/knowledge/retrieval/ranking/relevance.ts'
import { abstentionCases, auroc, calibrate, type Group, topScore } from './abstention.ts'
import { allCases, type Case } from './cases.ts'
import { loadDocuments, loadQueries } from './fixtures.ts'
import {
  addFigures,
  CALIBRATING,
  crossValidate,
  type Figures,
  format,
  learnRanking,
  type Model,
  ranksOf,
} from './model.ts'

const POINTWISE = 0.05
const FOLDS = 5
/** A question of another subject counts less than one whose answer was taken away: there are many, and most are easy. */
const SHARES = { own: 1, foreign: 0.25, removed: 1, followUps: 1 } as const
/** Scores this large are about as far apart as features that are shares. */
const SCALE = 3
const SHIPPED = new URL('../../src/features/knowledge/retrieval/ranking/weights.json', import.meta.url)

const { values, positionals } = parseArgs({
  options: { ablate: { type: 'boolean', default: false }, write: { type: 'string' } },
  allowPositionals: true,
})
const root = positionals[0]!
const cases = await allCases(await loadDocuments(root), loadQueries(root), root)
const groups = await abstentionCases(root)
const setOf = ({ setting }: Case): string => setting.split('/')[0]!
const sets = [...new Set(groups.map(({ set }) => set))]

console.log('columns: P@1, hit@5, MRR@10, found among the candidates')
console.log('by query'.padEnd(24), format(crossValidate(cases, { pointwise: POINTWISE })))
console.log('set left out'.padEnd(24), format(withoutOwnSet()))
if (values.ablate) {
  for (const name of SIGNALS) {
    const use = SIGNALS.filter((other) => other !== name)
    console.log(`without ${name}`.padEnd(24), format(withoutOwnSet(use)))
  }
}
for (const set of sets) {
  const model = learn(
    cases.filter((c) => setOf(c) !== set),
    groups.filter((group) => group.set !== set),
  )
  for (const group of groups.filter((one) => one.set === set)) describe(group, model)
  if (values.write) write(join(values.write, `without-${set}.json`), model)
}
const shipped = learn(cases, groups)
if (values.write) write(SHIPPED, shipped)
console.log([...SIGNALS, 'bias'].map((name, i) => `${name} ${shipped.weights[i]!.toFixed(2)}`).join(', '))
console.log(`siblings ${shipped.siblings.weight.toFixed(2)}`)

/** Each set ranked by weights that were learned without it. */
function withoutOwnSet(use?: readonly string[]): Figures {
  const figures: Figures = new Map()
  for (const set of new Set(cases.map(setOf))) {
    const model = learnRanking(
      cases.filter((c) => setOf(c) !== set),
      { ...(use ? { use } : {}), pointwise: POINTWISE },
    )
    addFigures(
      figures,
      cases.filter((c) => setOf(c) === set),
      model,
    )
  }
  return figures
}

/** A model whose sum is the log odds that the first hit answers. */
function learn(learned: readonly Case[], calibrating: readonly Group[]): Model {
  const { weights, siblings } = learnRanking(learned, { pointwise: POINTWISE })
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    learnRanking(
      learned.filter((c) => c.fold % FOLDS !== fold),
      { pointwise: POINTWISE },
    ),
  )
  const views = Map.groupBy(calibrating, ({ set }) => set)
  const first = calibrating.flatMap((group) =>
    firstHits(group, (c) => models[c.fold % FOLDS]!).map((hit) => ({
      features: [hit.score / SCALE, ...hit.sure],
      right: hit.right,
      // Every set counts alike, however many questions it has and however many views of it are asked.
      share: hit.share / group.own.length / views.get(group.set)!.length,
    })),
  )
  const [scaled, ...sure] = calibrate(first)
  const bias = sure.pop()!
  const factor = scaled! / SCALE
  const scale = (weight: number, i: number): number => {
    const place = (CALIBRATING as readonly string[]).indexOf(SIGNALS[i]!)
    return factor * weight + (sure[place] ?? 0) + (i === SIGNALS.length ? bias : 0)
  }
  return {
    weights: weights.map(scale),
    siblings: { weight: factor * siblings.weight, sharpness: siblings.sharpness / factor },
  }
}

function firstHits(group: Group, modelOf: (c: Case) => Model) {
  return (['own', 'foreign', 'removed', 'followUps'] as const).flatMap((part) =>
    group[part].flatMap((c) => {
      const { order, scores } = ranksOf(c, modelOf(c))
      const [best] = order
      if (best === undefined) return []
      const sure = CALIBRATING.map((name) => c.signals[best]![SIGNALS.indexOf(name)]!)
      return [{ score: scores[best]!, sure, right: c.relevant[best]!, share: SHARES[part] }]
    }),
  )
}

function describe(group: Group, model: Model): void {
  const top = (c: Case): number => topScore(c, model)
  const own = group.own.map(top)
  const foreign = auroc(own, group.foreign.map(top)).toFixed(3)
  const removed = auroc(own, group.removed.map(top)).toFixed(3)
  console.log(`${group.name}, left out: told from foreign ${foreign}, from questions without their answer ${removed}`)
  const hits = firstHits(group, () => model).map(({ score, right }) => ({ score: 1 / (1 + Math.exp(-score)), right }))
  const bins = Array.from({ length: 10 }, (_, i) =>
    hits.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === i),
  )
  const shares = bins.map((bin) => `${bin.length}: ${bin.length === 0 ? '-' : share(bin)}`)
  console.log(`  first hits by score, 0.0 to 1.0, how many and the share of right ones: ${shares.join(' | ')}`)
}

function share(bin: readonly { right: boolean }[]): string {
  return (bin.filter(({ right }) => right).length / bin.length).toFixed(2)
}

function write(path: string | URL, { weights, siblings }: Model): void {
  if (values.write) mkdirSync(values.write, { recursive: true })
  const named = Object.fromEntries(SIGNALS.map((name, i) => [name, Number(weights[i]!.toFixed(3))]))
  const bias = Number(weights[SIGNALS.length]!.toFixed(3))
  const rounded = { weight: Number(siblings.weight.toFixed(3)), sharpness: Number(siblings.sharpness.toFixed(3)) }
  writeFileSync(path, `${JSON.stringify({ bias, weights: named, siblings: rounded }, null, 2)}\n`)
}
