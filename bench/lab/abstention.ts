import type { Case } from './cases.ts'
import { createLab, type LabOptions } from './cases.ts'
import { type LabDocument, loadDocuments, loadQueries, mixed, withoutQuestion } from './fixtures.ts'
import { loadHelpCentres } from './help-centres.ts'
import { score, type Weights } from './model.ts'

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

export function topScore(c: Case, weights: Weights): number {
  return Math.max(-1e9, ...c.signals.map((s) => score(s, weights)))
}

/** Area under the curve: how often a positive exceeds a negative; ties count half. */
export function auroc(positive: readonly number[], negative: readonly number[]): number {
  let wins = 0
  for (const p of positive) for (const n of negative) wins += p > n ? 1 : p === n ? 0.5 : 0
  return wins / (positive.length * negative.length)
}

/** Platt scaling: the a and b of 1 / (1 + exp(-(a s + b))) with the least logistic loss, by damped Newton steps. */
export function platt(
  scores: readonly number[],
  labels: readonly boolean[],
  weights: readonly number[],
): { a: number; b: number } {
  const mean = scores.reduce((sum, s) => sum + s, 0) / scores.length
  let a = 0.1
  let b = 0
  for (let step = 0; step < 300; step++) {
    let ga = 0
    let gb = 0
    let haa = 1e-3
    let hab = 0
    let hbb = 1e-3
    for (const [i, raw] of scores.entries()) {
      const s = raw - mean
      const p = 1 / (1 + Math.exp(-(a * s + b)))
      const d = (p - (labels[i] ? 1 : 0)) * weights[i]!
      const h = p * (1 - p) * weights[i]!
      ga += d * s
      gb += d
      haa += h * s * s
      hab += h * s
      hbb += h
    }
    const det = haa * hbb - hab * hab
    a -= 0.3 * ((hbb * ga - hab * gb) / det)
    b -= 0.3 * ((haa * gb - hab * ga) / det)
  }
  return { a, b: b - a * mean }
}
