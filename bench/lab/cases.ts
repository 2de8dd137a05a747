import { createHash } from 'node:crypto'
import { bridged } from '../../src/ai/embedder/vectors/bridge.ts'
import { meaningOf } from '../../src/ai/embedder/vectors/store.ts'
import {
  type ChunkFeatures,
  decodeFeatures,
  encodeFeatures,
  indexTerms,
} from '../../src/features/knowledge/retrieval/ranking/chunk-features.ts'
import { prepareQuery } from '../../src/features/knowledge/retrieval/ranking/query.ts'
import { SIGNALS } from '../../src/features/knowledge/retrieval/ranking/relevance.ts'
import {
  type AskedMeaning,
  askedMeaning,
  createCommonMeaning,
  semanticSimilarity,
} from '../../src/features/knowledge/retrieval/ranking/semantics.ts'
import { signalsOf } from '../../src/features/knowledge/retrieval/ranking/signals.ts'
import {
  createTermStatistics,
  type TermStatistics,
} from '../../src/features/knowledge/retrieval/ranking/term-statistics.ts'
import { type AnalyserOptions, createAnalyser } from '../../src/language/words/analyser.ts'
import { Bm25 } from './bm25.ts'
import { type LabDocument, type LabQuery, loadUtterances, mixed, withHeading, withoutQuestion } from './fixtures.ts'
import { loadHelpCentres } from './help-centres.ts'

/** A query with its candidates: their signals, which are relevant, and their places among the documents. */
export type Case = {
  setting: string
  query: LabQuery
  fold: number
  candidates: number[]
  /** The candidates' documents, and how many passages each has. */
  documents: string[]
  sizes: number[]
  signals: Float64Array[]
  relevant: boolean[]
}

export type LabOptions = AnalyserOptions & {
  lexicalTopK?: number
  vectorTopK?: number
  /** Weight of the families beside the question; 0: none. */
  bridge?: number
}

type Indexed = { document: LabDocument; terms: string[]; features: Uint8Array; decoded: ChunkFeatures }

/** Everything that the knowledge service does, in memory. */
export async function createLab(options: LabOptions = {}) {
  const analyser = createAnalyser(options)
  const known = new Map<LabDocument, Indexed>()

  async function indexed(document: LabDocument): Promise<Indexed> {
    let entry = known.get(document)
    if (!entry) {
      const features = encodeFeatures(document, analyser)
      entry = { document, terms: indexTerms(document, analyser), features, decoded: decodeFeatures(features) }
      known.set(document, entry)
    }
    return entry
  }

  async function load(documents: readonly LabDocument[]) {
    const entries = await Promise.all(documents.map(indexed))
    const statistics = createTermStatistics()
    const common = createCommonMeaning()
    const bm25 = new Bm25()
    for (const [i, { terms, features }] of entries.entries()) {
      statistics.add(features)
      common.add(features)
      bm25.set(i, terms)
    }
    const sizes = new Map<string, number>()
    for (const { docId } of documents) sizes.set(docId, (sizes.get(docId) ?? 0) + 1)
    return { entries, statistics, common, bm25, sizes }
  }

  async function collect(
    setting: string,
    documents: readonly LabDocument[],
    queries: readonly LabQuery[],
    own = false,
  ) {
    const index = await load(documents)
    const cases: Case[] = []
    for (const query of queries) {
      const changed = own ? documents.flatMap((d, i) => (query.relevant.has(d.docId) ? [i] : [])) : []
      const saved = changed.map((i) => index.entries[i]!)
      for (const i of changed) await replace(index, i, await indexed(withoutQuestion(documents[i]!)))
      cases.push(await oneCase(setting, query, index))
      for (const [k, i] of changed.entries()) await replace(index, i, saved[k]!)
    }
    return cases
  }

  async function replace(index: Awaited<ReturnType<typeof load>>, i: number, entry: Indexed): Promise<void> {
    index.statistics.remove(index.entries[i]!.features)
    index.common.remove(index.entries[i]!.features)
    index.statistics.add(entry.features)
    index.common.add(entry.features)
    index.bm25.set(i, entry.terms)
    index.entries[i] = entry
  }

  async function oneCase(setting: string, query: LabQuery, index: Awaited<ReturnType<typeof load>>): Promise<Case> {
    const { candidates, signals } = await retrieve(query.text, index, query.exclude)
    return {
      setting,
      query,
      fold: createHash('md5').update(query.queryId).digest()[0]!,
      candidates,
      documents: candidates.map((i) => index.entries[i]!.document.docId),
      sizes: candidates.map((i) => index.sizes.get(index.entries[i]!.document.docId)!),
      signals,
      relevant: candidates.map((i) => query.relevant.has(index.entries[i]!.document.docId)),
    }
  }

  async function retrieve(text: string, index: Loaded, exclude?: string) {
    const prepared = prepareQuery(text, analyser, index.statistics)
    const allowed = (i: number): boolean => index.entries[i]!.document.docId !== exclude
    const lexical = index.bm25
      .search(prepared.terms)
      .filter(({ i }) => allowed(i))
      .slice(0, options.lexicalTopK ?? 50)
    const question = bridged(meaningOf(analyser.words(text)), options.bridge ?? 0.5)
    const meaning = askedMeaning(question, index.common.mean())
    const near = nearest(meaning, index.entries, options.vectorTopK ?? 50).filter(allowed)
    const candidates = [...new Set([...lexical.map(({ i }) => i), ...near])]
    const signals = candidates.map((i) => {
      const { decoded } = index.entries[i]!
      const s = signalsOf(prepared, decoded, semanticSimilarity(meaning, decoded.meanings))
      return Float64Array.from(SIGNALS, (name) => s[name])
    })
    return { candidates, signals }
  }

  return { analyser, collect, load, retrieve }
}

interface Loaded {
  entries: Indexed[]
  statistics: TermStatistics
  common: ReturnType<typeof createCommonMeaning>
  bm25: Bm25
  /** How many passages each document has. */
  sizes: ReadonlyMap<string, number>
}

/** Places of the passages that the index of vectors would find. */
function nearest({ vector }: AskedMeaning, entries: readonly Indexed[], count: number): number[] {
  const products = entries.map(({ decoded: { meanings } }) => {
    let sum = 0
    for (const [d, value] of (meanings?.whole.values ?? new Int8Array()).entries()) sum += vector[d]! * value
    return sum * (meanings?.whole.scale ?? 0)
  })
  return products
    .map((_, i) => i)
    .sort((a, b) => products[b]! - products[a]!)
    .slice(0, count)
}

/** All settings: those on which weights are learned (see `learnable`) and those that are only looked at. */
export async function allCases(
  documents: readonly LabDocument[],
  queries: readonly LabQuery[],
  root: string,
  options: LabOptions = {},
): Promise<Case[]> {
  const lab = await createLab(options)
  const of = (set: string) => queries.filter((query) => query.set === set)
  const changed = (set: string, change: (document: LabDocument, index: number) => LabDocument) =>
    documents.map((document, index) => (document.set === set ? change(document, index) : document))
  const utterances = loadUtterances(root)
  const helpCentres = await loadHelpCentres(root)
  const whole: Case[] = []
  for (const set of new Set(helpCentres.queries.map((query) => query.set))) {
    const inSet = (one: { set: string }): boolean => one.set === set
    const opening = helpCentres.queries.filter((query) => inSet(query) && !query.followsUp)
    whole.push(...(await lab.collect(set, helpCentres.documents.filter(inSet), opening)))
  }
  return [
    ...whole,
    ...(await lab.collect('covid/asked', documents, of('covid'))),
    ...(await lab.collect('covid/body', changed('covid', withoutQuestion), of('covid'))),
    ...(await lab.collect('covid/headed', changed('covid', withHeading), of('covid'))),
    ...(await lab.collect('tidb/headed', changed('tidb', withHeading), of('tidb'))),
    ...(await lab.collect('covid/mixed', changed('covid', mixed), of('covid'))),
    ...(await lab.collect('tidb/mixed', changed('tidb', mixed), of('tidb'))),
    ...(await lab.collect('tidb/asked', documents, of('tidb'))),
    ...(await lab.collect('tidb/body', changed('tidb', withoutQuestion), of('tidb'))),
    ...(await lab.collect('tidb/own', documents, of('tidb'), true)),
    ...(await lab.collect('insurance', utterances.documents, utterances.queries)),
    ...(await lab.collect(
      'covid/typo',
      documents,
      of('covid').map((query) => ({ ...query, text: misspell(query.text, query.queryId) })),
    )),
  ]
}

/** One wrong letter in one word of five letters or more, the same every time. */
function misspell(text: string, seed: string): string {
  const random = createHash('md5').update(seed).digest()
  const words = text.split(' ')
  const long = words.flatMap((word, i) => (/^[a-z]{5,}\W?$/i.test(word) ? [i] : []))
  if (long.length === 0) return text
  const at = long[random[1]! % long.length]!
  const word = words[at]!
  const p = 1 + (random[2]! % 3)
  const edits = [
    word.slice(0, p) + word.slice(p + 1),
    word.slice(0, p) + word[p + 1] + word[p] + word.slice(p + 2),
    `${word.slice(0, p)}e${word.slice(p)}`,
  ]
  words[at] = edits[random[3]! % 3]!
  return words.join(' ')
}
