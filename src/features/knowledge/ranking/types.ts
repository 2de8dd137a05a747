/** A chunk that the lexical index, the vector index or both proposed. Ranks count from 1; null: that index did not propose it. */
export type Candidate = {
  /** Grows with the place in the file. */
  readonly chunkId: number
  /** What `encodeFeatures` made of the chunk. */
  readonly features: Uint8Array
  /** BM25, larger is better (pg_textsearch's negative scores turned round). */
  readonly lexicalScore: number | null
  readonly lexicalRank: number | null
  /** Cosine similarity, -1 to 1. */
  readonly vectorScore: number | null
  readonly vectorRank: number | null
  readonly publishedAt: Date
}

/** The tuner's parameters that ranking follows. */
export type RankingParameters = {
  /** 0 to 1: the share of the vector index in the fusion. */
  readonly vectorWeight: number
  readonly rrfK: number
  /** 0 to 1: how much a match in title and headings counts. */
  readonly titleWeight: number
  /** Hits below are dropped. */
  readonly minScore: number
  /** After this time a chunk's score is halved at the most; 0 switches ageing off. */
  readonly recencyHalfLifeDays: number
  /**
   * Cosine of unrelated passages under the embedding model in use: mean and standard deviation over some hundreds of random
   * pairs. Absent: the vectors are the built-in embedder's, for which the weight was learned.
   */
  readonly unrelatedSimilarity?: { readonly mean: number; readonly deviation: number }
  /** How many hits are returned. */
  readonly rerankTopK: number
}

/** `score` is the estimated probability that the chunk answers the query, comparable between queries. */
export type Ranked = { readonly chunkId: number; readonly score: number }
