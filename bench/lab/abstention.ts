import type { Case } from './cases.ts'
import { createLab, type LabOptions } from './cases.ts'
import { type LabDocument, loadDocuments, loadQueries, mixed, withoutQuestion } from './fixtures.ts'
import { loadHelpCentres } from './help-centres.ts'
import { type Model, scoresOf } from './model.ts'

const VIEWS = { asked: (document: LabDocument, _index: number) => document, body: withoutQuestion, mixed }

/** Questions that a base answers and questions that it does not: those of another set, and its own after their answer is gone. */
export interface Group {
  set: string
  name: string
  own: Case[]
  foreign: Case[]
  removed: Case[]
  /** Asked without the turns before. */
  followUps: Case[]
}

export async function abstentionCases(root: string, options: LabOptions = {}): Promise<Group[]> {
  const lab = await createLab(options)
  const pairs = await loadDocuments(root)
  const queries = loadQueries(root)
  const whole = await loadHelpCentres(root)
  const all = [...queries, ...whole.queries]
  const bases = [
    ...(['covid', 'tidb'] as const).flatMap((set) =>
      (['asked', 'body', 'mixed'] as const).map((mode) => {
        const docs = pairs.filter((d) => d.set === set).map((d, i) => VIEWS[mode](d, i))
        return { set, name: `${set}/${mode}`, docs }
      }),
    ),
    ...[...new Set(whole.queries.map(({ set }) => set))].map((set) => {
      return { set, name: set, docs: whole.documents.filter((d) => d.set === set) }
    }),
  ]
  const groups: Group[] = []
  for (const { set, name, docs } of bases) {
    const own = all.filter((query) => query.set === set && !query.followsUp)
    const removed: Case[] = []
    for (const query of own.filter((_, i) => i % 3 === 0)) {
      const rest = docs.filter((d) => !query.relevant.has(d.docId))
      removed.push(...(await lab.collect(`${name}/removed`, rest, [query])))
    }
    const others = all.filter((query) => query.set !== set && !query.followsUp).filter((_, i) => i % 2 === 0)
    groups.push({
      set,
      name,
      own: await lab.collect(name, docs, own),
      foreign: await lab.collect(`${name}/foreign`, docs, others),
      removed,
      followUps: await lab.collect(
        `${name}/follow-ups`,
        docs,
        all.filter((query) => query.set === set && query.followsUp),
      ),
    })
  }
  return groups
}

export function topScore(c: Case, model: Model): number {
  return Math.max(-1e9, ...scoresOf(c, model))
}

/** Area under the curve: how often a positive exceeds a negative; ties count half. */
export function auroc(positive: readonly number[], negative: readonly number[]): number {
  let wins = 0
  for (const p of positive) for (const n of negative) wins += p > n ? 1 : p === n ? 0.5 : 0
  return wins / (positive.length * negative.length)
}

const STEPS = 3_000
const SHRINKAGE = 1e-4

/** First hits of queries: what is known of each, whether it is right, and how much it counts. */
export type Calibrating = { features: readonly number[]; right: boolean; share: number }

/** Platt scaling over several features, none of which may count against: weights with the least logistic loss, the bias last. */
export function calibrate(hits: readonly Calibrating[]): number[] {
  const rows = hits.map(({ features }) => [...features, 1])
  const total = hits.reduce((sum, { share }) => sum + share, 0)
  const weights = Array.from(rows[0] ?? [], () => 0)
  const bias = weights.length - 1
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map(() => 0)
    for (const [i, row] of rows.entries()) {
      const sum = row.reduce((s, value, k) => s + value * weights[k]!, 0)
      const error = (1 / (1 + Math.exp(-sum)) - (hits[i]!.right ? 1 : 0)) * hits[i]!.share
      for (let k = 0; k <= bias; k++) gradient[k]! += error * row[k]!
    }
    for (let k = 0; k <= bias; k++) {
      weights[k]! -= gradient[k]! / total + (k === bias ? 0 : SHRINKAGE * weights[k]!)
      if (k < bias) weights[k] = Math.max(0, weights[k]!)
    }
  }
  return weights
}
