import type { Analyser } from '../../ai/analysis/analyser.ts'
import type { Reranker } from '../../ai/reranker/port.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { ChunkMemory } from './chunk-memory.ts'
import type { EmbeddingGenerations } from './embedding-generations.ts'
import type { RetrievalParameters } from './parameters.ts'
import { type Candidate, prepareQuery, type Ranked, type RankingQuery, rank } from './ranking.ts'
import { findCandidates, type Proposal, type Proposals, readPassages } from './search-queries.ts'
import { RERANKED_PASSAGES, rerankHits } from './search-reranking.ts'
import { type Trial, trialCandidates, trialPassages } from './trial.ts'
import type { Collection, SearchHit, SearchRequest } from './types.ts'

/** A document may be replaced between the two reads of a search; then it starts over. */
const ATTEMPTS = 3

export interface SearchDependencies {
  db: Database
  analyser: Analyser
  embeddings: Pick<EmbeddingGenerations, 'serving'>
  memories: Record<Collection, ChunkMemory>
  /** Null: the built-in ranking alone. */
  reranker: Reranker | null
  parameters: () => RetrievalParameters
  log: { warn(details: object, message: string): void }
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
  if (!reranker || request.isRough) return searchByOwnRanking(deps, request, parameters, trial)
  const { rerankTopK, minScore } = parameters
  const wider = { ...parameters, rerankTopK: Math.max(rerankTopK, RERANKED_PASSAGES), minScore: 0 }
  const hits = await searchByOwnRanking(deps, request, wider, trial)
  const reranked = await rerankHits(reranker, request.query, hits)
  return reranked.filter(({ score }) => score >= minScore).slice(0, rerankTopK)
}

async function searchByOwnRanking(
  deps: SearchDependencies,
  request: SearchRequest,
  parameters: RetrievalParameters,
  trial?: Trial,
): Promise<SearchHit[]> {
  const collection = request.collection ?? 'main'
  const memory = deps.memories[collection]
  const query = prepareQuery(request.query, deps.analyser, memory.statistics)
  const vector = await embedQuery(deps, request.query, query)
  for (let attempt = 1; ; attempt++) {
    const proposals = await proposeCandidates(deps, collection, query, vector, parameters)
    const candidates = [...(await withFeatures(proposals, memory)), ...tried(deps, trial, query, vector, proposals)]
    const { unrelatedSimilarity } = deps.embeddings.serving()
    const ranked = rank(query, candidates, { ...parameters, ...(unrelatedSimilarity ? { unrelatedSimilarity } : {}) })
    const passages = await readPassages(
      deps.db.executor,
      collection,
      ranked.map(({ chunkId }) => chunkId),
    )
    if (trial) for (const [chunkId, passage] of trialPassages(trial)) passages.set(chunkId, passage)
    if (ranked.every(({ chunkId }) => passages.has(chunkId)) || attempt === ATTEMPTS) return toHits(ranked, passages)
  }
}

/** Without its vector a query is still answered by its words: the embedder may be down. */
async function embedQuery(
  { embeddings, log }: SearchDependencies,
  text: string,
  query: RankingQuery,
): Promise<Float32Array | null> {
  const { embedder, unrelatedSimilarity } = embeddings.serving()
  if (!embedder || !unrelatedSimilarity || query.terms.length === 0) return null
  try {
    const [vector] = await embedder.embed([text], 'query')
    return vector?.some((value) => value !== 0) ? vector : null
  } catch (error) {
    log.warn({ err: error }, 'The query could not be embedded; searching by words alone')
    return null
  }
}

function proposeCandidates(
  { db, embeddings }: SearchDependencies,
  collection: Collection,
  query: RankingQuery,
  vector: Float32Array | null,
  parameters: RetrievalParameters,
): Promise<Proposals> {
  const { generation } = embeddings.serving()
  return findCandidates(db.executor, {
    collection,
    engine: db.lexicalEngine,
    terms: query.terms,
    lexicalTopK: parameters.lexicalTopK,
    vector,
    vectorTopK: parameters.vectorTopK,
    generation,
  })
}

function tried(
  { embeddings }: SearchDependencies,
  trial: Trial | undefined,
  query: RankingQuery,
  vector: Float32Array | null,
  { lexical }: Proposals,
): Candidate[] {
  if (!trial) return []
  const { generation } = embeddings.serving()
  return trialCandidates(trial, query, vector && { values: vector, generation }, lexical[0]?.score ?? 1)
}

async function withFeatures(proposals: Proposals, memory: ChunkMemory): Promise<Candidate[]> {
  const lexical = placesOf(proposals.lexical)
  const vector = placesOf(proposals.vector)
  const stored = await memory.lookUp([...new Set([...lexical.keys(), ...vector.keys()])])
  return [...stored].map(([chunkId, { features, publishedAt }]) => ({
    chunkId,
    features,
    publishedAt,
    lexicalScore: lexical.get(chunkId)?.score ?? null,
    lexicalRank: lexical.get(chunkId)?.rank ?? null,
    vectorScore: vector.get(chunkId)?.score ?? null,
    vectorRank: vector.get(chunkId)?.rank ?? null,
  }))
}

function placesOf(proposals: readonly Proposal[]): Map<number, { score: number; rank: number }> {
  return new Map(proposals.map(({ chunkId, score }, i) => [chunkId, { score, rank: i + 1 }]))
}

function toHits(ranked: readonly Ranked[], passages: Awaited<ReturnType<typeof readPassages>>): SearchHit[] {
  return ranked.flatMap(({ chunkId, score }) => {
    const passage = passages.get(chunkId)
    return passage ? [{ ...passage, score }] : []
  })
}
