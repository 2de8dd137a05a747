import { SIGNALS } from '../../src/features/knowledge/retrieval/ranking/relevance.ts'
import { createSupport } from '../../src/features/knowledge/retrieval/ranking/siblings.ts'
import type { Case } from './cases.ts'

export type Weights = Float64Array

/** Weights of the signals, the bias last, and of the support by other passages of a document. */
export type Model = { weights: Weights; siblings: { weight: number; sharpness: number } }

/** Signals that are the same for all candidates of a query: they order nothing, and only say how sure to be. */
export const CALIBRATING = ['telling'] as const
const ORDERING = SIGNALS.filter((name) => !(CALIBRATING as readonly string[]).includes(name))

/** Of a set that is not named here each question counts as one: whole help centres. */
const LEARNED = new Map([
  ['insurance', 0],
  ['covid/typo', 0],
  ['tidb/headed', 0],
  ['tidb/own', 0],
  ['covid/asked', 1],
  ['covid/body', 1],
  ['covid/headed', 0.3],
  ['covid/mixed', 0.5],
  ['tidb/mixed', 0.1],
  ['tidb/body', 1],
  ['tidb/asked', 0.2],
])

export function learnable(setting: string): number {
  return LEARNED.get(setting) ?? 1
}

export type TrainOptions = { use?: readonly string[]; l2?: number; steps?: number; pointwise?: number }

/**
 * Minimises the cross entropy of the relevant candidates under a softmax over a query's candidates, plus `pointwise` times the
 * logistic loss of every candidate (which makes scores comparable between queries), by Adam with l2. The last weight is the bias.
 */
export function train(
  cases: readonly Case[],
  { use = ORDERING, l2 = 3e-4, steps = 300, pointwise = 0 }: TrainOptions = {},
): Weights {
  const columns = use.map((name) => (SIGNALS as readonly string[]).indexOf(name))
  const n = columns.length + 1
  const data = cases
    .filter((c) => learnable(c.setting) > 0 && (pointwise > 0 || c.relevant.some(Boolean)))
    .map((c) => ({
      x: c.signals.map((s) => Float64Array.from([...columns.map((k) => s[k]!), 1])),
      y: c.relevant,
      w: learnable(c.setting),
    }))
  const total = data.reduce((sum, { w }) => sum + w, 0)
  const w = new Float64Array(n)
  const m = new Float64Array(n)
  const v = new Float64Array(n)
  for (let step = 1; step <= steps; step++) {
    const g = new Float64Array(n)
    for (const { x, y, w: weight } of data) {
      const s = x.map((row) => dot(row, w))
      const max = Math.max(...s)
      const e = s.map((value) => Math.exp(value - max))
      let all = 0
      let right = 0
      for (let i = 0; i < e.length; i++) {
        all += e[i]!
        if (y[i]) right += e[i]!
      }
      for (let i = 0; i < e.length; i++) {
        let d = right > 0 ? e[i]! / all - (y[i] ? e[i]! / right : 0) : 0
        if (pointwise > 0) d += pointwise * (1 / (1 + Math.exp(-s[i]!)) - (y[i] ? 1 : 0))
        d *= weight / total
        if (Math.abs(d) > 1e-9) for (let k = 0; k < n; k++) g[k]! += d * x[i]![k]!
      }
    }
    for (let k = 0; k < n; k++) {
      const gk = g[k]! + (k === n - 1 ? 0 : l2 * w[k]!)
      m[k] = 0.9 * m[k]! + 0.1 * gk
      v[k] = 0.99 * v[k]! + 0.01 * gk * gk
      w[k]! -=
        (0.2 * (1 - (step - 1) / steps) * (m[k]! / (1 - 0.9 ** step))) / (Math.sqrt(v[k]! / (1 - 0.99 ** step)) + 1e-9)
    }
  }
  const full = new Float64Array(SIGNALS.length + 1)
  for (const [i, k] of columns.entries()) full[k] = w[i]!
  full[SIGNALS.length] = w[n - 1]!
  return full
}

function score(signals: Float64Array, weights: Weights): number {
  let sum = weights[SIGNALS.length]!
  for (let k = 0; k < SIGNALS.length; k++) sum += signals[k]! * weights[k]!
  return sum
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

export type Figures = Map<string, { queries: number; first: number; five: number; mrr: number; found: number }>

const SHARPNESS = 0.5
const MOST_SUPPORT = 2.5
const SUPPORT_STEP = 0.25

/** The weights of signals, then that of siblings with which the relevant candidates are most likely the first. */
export function learnRanking(cases: readonly Case[], options: TrainOptions): Model {
  const weights = train(cases, options)
  const asked = cases.filter((c) => learnable(c.setting) > 0 && c.relevant.some(Boolean))
  let best = { weight: 0, loss: Number.POSITIVE_INFINITY }
  for (let weight = 0; weight <= MOST_SUPPORT; weight += SUPPORT_STEP) {
    const model = { weights, siblings: { weight, sharpness: SHARPNESS } }
    const loss = asked.reduce((sum, c) => sum + learnable(c.setting) * surprise(c, model), 0)
    if (loss < best.loss) best = { weight, loss }
  }
  return { weights, siblings: { weight: best.weight, sharpness: SHARPNESS } }
}

/** Minus the logarithm of the share that a softmax gives the relevant candidates. */
function surprise(c: Case, model: Model): number {
  const scores = scoresOf(c, model)
  const max = Math.max(...scores)
  let all = 0
  let right = 0
  for (const [i, value] of scores.entries()) {
    const odds = Math.exp(value - max)
    all += odds
    if (c.relevant[i]) right += odds
  }
  return Math.log(all) - Math.log(Math.max(right, Number.MIN_VALUE))
}

/** What ranking makes of each candidate, before it becomes a probability. */
export function scoresOf(c: Case, { weights, siblings }: Model): number[] {
  const judged = c.signals.map((signals, i) => ({
    docId: c.documents[i]!,
    passages: c.sizes[i]!,
    logOdds: score(signals, weights),
  }))
  const supportOf = createSupport(judged, siblings.sharpness)
  return judged.map((one) => one.logOdds + siblings.weight * supportOf(one))
}

/** Ties: the later document first, as ranking does. */
export function ranksOf(c: Case, model: Model, laterFirst = true): { order: number[]; scores: number[] } {
  const scores = scoresOf(c, model)
  const order = scores
    .map((_, i) => i)
    .sort(
      (a, b) =>
        scores[b]! - scores[a]! ||
        (laterFirst ? c.candidates[b]! - c.candidates[a]! : c.candidates[a]! - c.candidates[b]!),
    )
  return { order, scores }
}

const FOLDS = 5

/** Each query ranked by a model that has not seen it (in any setting); settings that are not learned from by the same models. */
export function crossValidate(cases: readonly Case[], options: TrainOptions = {}, laterFirst = true): Figures {
  const figures: Figures = new Map()
  for (let fold = 0; fold < FOLDS; fold++) {
    const model = learnRanking(
      cases.filter((c) => c.fold % FOLDS !== fold),
      options,
    )
    addFigures(
      figures,
      cases.filter((c) => c.fold % FOLDS === fold),
      model,
      laterFirst,
    )
  }
  return figures
}

export function addFigures(figures: Figures, cases: readonly Case[], model: Model, laterFirst = true): void {
  for (const c of cases) {
    const { order } = ranksOf(c, model, laterFirst)
    const rank = order.findIndex((i) => c.relevant[i])
    const f = figures.get(c.setting) ?? { queries: 0, first: 0, five: 0, mrr: 0, found: 0 }
    f.queries++
    if (rank === 0) f.first++
    if (rank >= 0 && rank < 5) f.five++
    if (rank >= 0 && rank < 10) f.mrr += 1 / (rank + 1)
    if (rank >= 0) f.found++
    figures.set(c.setting, f)
  }
}

export function format(figures: Figures): string {
  return [...figures]
    .map(
      ([setting, f]) =>
        `${setting} ${[f.first, f.five, f.mrr, f.found].map((x) => (x / f.queries).toFixed(3).replace(/^0/, '')).join(' ')}`,
    )
    .join(' | ')
}
