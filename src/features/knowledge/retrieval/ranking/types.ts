import type { RetrievalParameters } from '../parameters.ts'
import type { ScorePart } from './relevance.ts'

/** A chunk that the lexical index, the vector index or both found. Ranks count from 1; null: that index did not find it. */
export type Candidate = {
  /** Grows with the place in the file. */
  readonly chunkId: number
  readonly docId: string
  /** Passages that its document has. */
  readonly passages: number
  /** The result of `encodeFeatures`. */
  readonly features: Uint8Array
  /** BM25, larger is better (pg_textsearch's negative scores turned round). */
  readonly lexicalScore: number | null
  readonly lexicalRank: number | null
  /** Cosine similarity, -1 to 1. */
  readonly vectorScore: number | null
  readonly vectorRank: number | null
  /** How alike it is to the question in meaning by the built-in vectors, -1 to 1; null: others are in use. */
  readonly semantic: number | null
  readonly publishedAt: Date
}

/** The tuner's parameters that ranking follows. */
export type RankingParameters = Omit<RetrievalParameters, 'lexicalTopK' | 'vectorTopK'> & {
  /**
   * Cosine of unrelated passages under the embedding model in use: mean and standard deviation over some hundreds of random
   * pairs. Absent: the vectors are the built-in embedder's, for which the weight was learned.
   */
  readonly unrelatedSimilarity?: { readonly mean: number; readonly deviation: number }
}

/** `score` is the estimated probability that the chunk answers the query, comparable between queries. */
export type Ranked = { readonly chunkId: number; readonly score: number }

/** A candidate with everything that its place in the ranking rests on. */
export type ExplainedCandidate = Pick<
  Candidate,
  'chunkId' | 'docId' | 'lexicalScore' | 'lexicalRank' | 'vectorScore' | 'vectorRank'
> & {
  /** The measure that decides which candidates are looked at closely. */
  readonly fusedRank: number
  /** Null: it was not among those. */
  readonly judgement: { readonly score: number; readonly recency: number; readonly parts: readonly ScorePart[] } | null
}
