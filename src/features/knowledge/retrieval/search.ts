import type { Reranker } from '../../../ai/reranker/port.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Analyser } from '../../../language/words/analyser.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Collection, Passage, SearchHit, SearchRequest } from '../types.ts'
import type { EmbeddingGenerations } from './embeddings/generations.ts'
import type { FeatureIndex } from './feature-index.ts'
import { preferNamedVersion } from './named-version.ts'
import type { RetrievalParameters } from './parameters.ts'
import { findNearest, readPassages, type ScoredChunk } from './queries.ts'
import { decodeMeanings } from './ranking/chunk-features.ts'
import { prepareQuery, type RankingQuery } from './ranking/query.ts'
import { rank } from './ranking/rank.ts'
import { type AskedMeaning, askedMeaning, semanticSimilarity } from './ranking/semantics.ts'
import { withHeld } from './ranking/term-statistics.ts'
import type { Candidate, Ranked } from './ranking/types.ts'
import { RERANKED_PASSAGES, rerankHits } from './rerank.ts'
import { type Trial, trialCandidates, trialPassages } from './trial.ts'

/** A document may be replaced between the two reads of a search; then it starts over. */
const ATTEMPTS = 3
/** Scores that a stage tells: enough to see whether the first was close. */
const TOP_SCORES = 5

export interface SearchDependencies {
  db: Database
  analyser: Analyser
  embeddings: Pick<EmbeddingGenerations, 'serving'>
  indexes: Record<Collection, FeatureIndex>
  /** Null: the built-in ranking alone. */
  reranker: Reranker | null
  parameters: () => RetrievalParameters
  log: Log
}

/**
 * The one way in which passages are found: chat, recommendation, evaluation and canary comparison all call it. With a
 * trial, its chunks compete as if they were published.
 */
export async function search(deps: SearchDependencies, request: SearchRequest, trial?: Trial): Promise<SearchHit[]> {
  const parameters = {
    ...(request.parameters ?? deps.parameters()),
    ...(request.topK === undefined ? {} : { rerankTopK: request.topK }),
  }
  const { reranker } = deps
  if (!reranker || request.isRough)
    return preferNamedVersion(request.query, await searchByOwnRanking(deps, request, parameters, trial))
  const { rerankTopK, minScore } = parameters
  const wider = { ...parameters, rerankTopK: Math.max(rerankTopK, RERANKED_PASSAGES), minScore: 0 }
  const hits = await searchByOwnRanking(deps, request, wider, trial)
  const startedAt = performance.now()
  const reranked = await rerankHits(reranker, request.query, hits)
  request.onStage?.({ name: 'rerank', judged: hits.length, ...sinceAndScores(startedAt, reranked) })
  request.onJudged?.({ by: 'reranking', scores: new Map(reranked.map(({ chunkId, score }) => [chunkId, score])) })
  const wanted = reranked.filter(({ score }) => score >= minScore).slice(0, rerankTopK)
  return preferNamedVersion(request.query, wanted)
}

async function searchByOwnRanking(
  deps: SearchDependencies,
  request: SearchRequest,
  parameters: RetrievalParameters,
  trial?: Trial,
): Promise<SearchHit[]> {
  const collection = request.collection ?? 'main'
  const { db } = deps
  const index = deps.indexes[collection]
  let startedAt = performance.now()
  const statistics = withHeld(index.statistics, await index.rareWords(deps.analyser.words(request.query)))
  const query = prepareQuery(request.query, deps.analyser, statistics)
  const vector = await embedQuery(deps, request.query, query)
  for (let attempt = 1; ; attempt++) {
    const { generation, unrelatedSimilarity, isBuiltIn } = deps.embeddings.serving()
    const meaning = vector && isBuiltIn ? askedMeaning(vector, index.commonMeaning()) : null
    const asked = { collection, terms: query.terms, vector, meaning, generation, ...parameters }
    const found =
      request.within === undefined ? await foundBy(db, index, asked) : allOf(await index.chunksOf(request.within))
    const foundAt = performance.now()
    request.onStage?.({
      name: 'candidates',
      lexical: found.lexical.length,
      vector: found.vector.length,
      durationMs: foundAt - startedAt,
    })
    const stored = await withFeatures(found, index, meaning)
    const asking = { vector: meaning?.vector ?? vector, generation, meaning }
    const candidates = trial ? withTrial(stored, trial, query, asking, found.lexical[0]?.score ?? 1) : stored
    const { ranked, judge, explain } = rank(query, candidates, {
      ...parameters,
      ...(unrelatedSimilarity ? { unrelatedSimilarity } : {}),
    })
    request.onJudged?.({ by: 'ranking', query, candidates: explain() })
    const chunkIds = ranked.map(({ chunkId }) => chunkId)
    const read = await readPassages(db.executor, collection, chunkIds, request.withSurroundings)
    const passages = trial ? new Map([...read, ...trialPassages(trial)]) : read
    request.onStage?.({ name: 'ranking', judged: candidates.length, ...sinceAndScores(foundAt, ranked) })
    startedAt = performance.now()
    if (chunkIds.every((chunkId) => passages.has(chunkId)) || attempt === ATTEMPTS) {
      const scores = await scoresOf([...passages.keys()], ranked, (ids) =>
        withFeatures(allOf(ids), index, meaning).then(judge),
      )
      return toHits(ranked, passages, scores)
    }
  }
}

/** The chunks that each index found, best first. */
interface CandidateLists {
  lexical: ScoredChunk[]
  vector: ScoredChunk[]
  /** Features that were read to find them. */
  stored?: Awaited<ReturnType<FeatureIndex['lookUp']>>
}

interface Asked extends Pick<RetrievalParameters, 'lexicalTopK' | 'vectorTopK'> {
  collection: Collection
  terms: readonly string[]
  vector: Float32Array | null
  /** Of the built-in vectors, which are compared in memory. */
  meaning: AskedMeaning | null
  generation: number
}

/** Chunks found by words among which meaning looks where a collection is too large to be compared as a whole. */
const AMONG = 128

async function foundBy(db: Database, index: FeatureIndex, asked: Asked): Promise<CandidateLists> {
  const { terms, vector, meaning, collection, generation, lexicalTopK, vectorTopK: count } = asked
  if (meaning && !index.isWhole()) {
    const lexical = await index.lexical.find(terms, Math.max(AMONG, lexicalTopK))
    const stored = await index.lookUp(lexical.map(({ chunkId }) => chunkId))
    const alike = [...stored].map(([chunkId, { features }]) => {
      return { chunkId, score: semanticSimilarity(meaning, decodeMeanings(features)) }
    })
    const nearest = alike.sort((a, b) => b.score - a.score || a.chunkId - b.chunkId).slice(0, count)
    return { lexical: lexical.slice(0, lexicalTopK), vector: nearest, stored }
  }
  const [lexical, others] = await Promise.all([
    index.lexical.find(terms, lexicalTopK),
    vector && !meaning ? findNearest(db.executor, { collection, vector, generation, count }) : [],
  ])
  return { lexical, vector: meaning ? index.nearest(meaning, count) : others }
}

/** A document that is published under an id takes the place of what is there. */
function withTrial(
  stored: readonly Candidate[],
  trial: Trial,
  query: RankingQuery,
  asking: Parameters<typeof trialCandidates>[2],
  bestScore: number,
): Candidate[] {
  const others = stored.filter(({ docId }) => docId !== trial.docId)
  return [...others, ...trialCandidates(trial, query, asking, bestScore)]
}

function sinceAndScores(startedAt: number, ranked: readonly { score: number }[]) {
  return { durationMs: performance.now() - startedAt, topScores: ranked.slice(0, TOP_SCORES).map(({ score }) => score) }
}

/** Also of what only stands around the hits: which part of a document answers is judged like everything else. */
async function scoresOf(
  chunkIds: readonly number[],
  ranked: readonly Ranked[],
  judge: (chunkIds: readonly number[]) => Promise<Ranked[]>,
): Promise<Map<number, number>> {
  const scores = new Map(ranked.map(({ chunkId, score }) => [chunkId, score]))
  const others = chunkIds.filter((chunkId) => !scores.has(chunkId))
  if (others.length > 0) for (const { chunkId, score } of await judge(others)) scores.set(chunkId, score)
  return scores
}

/** Every chunk of a document as a candidate. */
function allOf(chunkIds: readonly number[]): CandidateLists {
  return { lexical: chunkIds.map((chunkId) => ({ chunkId, score: 0 })), vector: [] }
}

/** Without its vector a query is still answered by its words: the embedder may be down. */
async function embedQuery(
  { embeddings, log }: SearchDependencies,
  text: string,
  query: RankingQuery,
): Promise<Float32Array | null> {
  const { embedder } = embeddings.serving()
  if (!embedder || query.terms.length === 0) return null
  try {
    const [vector] = await embedder.embed([text], 'query')
    return vector?.some((value) => value !== 0) ? vector : null
  } catch (error) {
    log.warn({ err: error }, 'The query could not be embedded; searching by words alone')
    return null
  }
}

async function withFeatures(
  found: CandidateLists,
  index: FeatureIndex,
  meaning: AskedMeaning | null,
): Promise<Candidate[]> {
  const lexical = placesOf(found.lexical)
  const vector = placesOf(found.vector)
  const chunkIds = [...new Set([...lexical.keys(), ...vector.keys()])]
  const stored = found.stored ?? (await index.lookUp(chunkIds))
  const candidates = chunkIds.flatMap((chunkId) => {
    const features = stored.get(chunkId)
    return features ? [[chunkId, features] as const] : []
  })
  return candidates.map(([chunkId, { docId, features, publishedAt, passages }]) => ({
    chunkId,
    docId,
    passages,
    features,
    publishedAt,
    lexicalScore: lexical.get(chunkId)?.score ?? null,
    lexicalRank: lexical.get(chunkId)?.rank ?? null,
    vectorScore: vector.get(chunkId)?.score ?? null,
    vectorRank: vector.get(chunkId)?.rank ?? null,
    // Those that meaning found were compared to find them.
    semantic: meaning && (vector.get(chunkId)?.score ?? semanticSimilarity(meaning, decodeMeanings(features))),
  }))
}

function placesOf(found: readonly ScoredChunk[]): Map<number, { score: number; rank: number }> {
  return new Map(found.map(({ chunkId, score }, i) => [chunkId, { score, rank: i + 1 }]))
}

function toHits(
  ranked: readonly Ranked[],
  passages: ReadonlyMap<number, Passage>,
  scores: ReadonlyMap<number, number>,
): SearchHit[] {
  const scored = [...passages.values()].map((passage) => ({ ...passage, score: scores.get(passage.chunkId) ?? 0 }))
  const surroundings = surroundingsOf(scored, ranked)
  return ranked.flatMap(({ chunkId, score }) => {
    const passage = passages.get(chunkId)
    const around = passage && surroundings.get(placeOf(passage))
    return passage ? [{ ...passage, score, ...(around ? { around } : {}) }] : []
  })
}

type Scored = Passage & { score: number }

/** By document, its passages in order, where more than what was ranked was read of any. */
function surroundingsOf(passages: readonly Scored[], ranked: readonly Ranked[]): Map<string, Scored[]> {
  if (passages.length <= ranked.length) return new Map()
  const sorted = passages.toSorted((a, b) => a.ordinal - b.ordinal)
  return new Map(Object.entries(Object.groupBy(sorted, placeOf)).map(([place, all]) => [place, all as Scored[]]))
}

function placeOf({ docId, version }: Passage): string {
  return `${docId} ${version}`
}
