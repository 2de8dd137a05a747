import type { Chunk } from './ingest/chunking/types.ts'
import type { RetrievalParameters } from './retrieval/parameters.ts'
import type { RankingQuery } from './retrieval/ranking/query.ts'
import type { ExplainedCandidate } from './retrieval/ranking/types.ts'

/** Details that callers give of a document beside its bytes. */
export interface DocumentMetadata {
  knowledgeType: string
  productCategory: string
  applicableVersion: string
  /** When the content was published; null: unknown, the upload's time counts. */
  publishedAt: Date | null
  /** An address where people can read it for themselves; null: the document itself may name one. */
  url?: string | null
}

export interface PreparedChunk extends Chunk {
  title: string
  searchText: string
  features: Uint8Array
  /** A model's vectors: one for each generation that is served or being built. */
  embeddings: readonly { generation: number; vector: Float32Array }[]
}

/** Told of chunks that were stored under these ids, before the transaction ends. */
export type OnStored = (chunkIds: readonly number[], chunks: readonly PreparedChunk[]) => void

/** Where chunks are searchable: `main` for customers, `staff` for people who answer them, `canary` for comparisons. */
export type Collection = 'main' | 'staff' | 'canary'

/** Who is served a document: everybody, or those alone who answer customers. */
export type Audience = 'customers' | 'staff'

/** `archived`: served to nobody, and kept with its versions. */
export type DocumentStatus = 'active' | 'archived' | 'deleted'

export type VersionStatus = 'active' | 'superseded' | 'rolled_back' | 'canary'

export interface IngestResult {
  docId: string
  source: string
  chunkCount: number
  status: 'success' | 'rejected'
  /** `v1`, `v2`, …; null for a document outside the registry. */
  version: string | null
  /** The content was there already; nothing changed. */
  unchanged: boolean
  errors: string[]
}

/** A passage that answers a query, best first in a result. `score` is in 0..1 and comparable between queries. */
export interface SearchHit extends Passage {
  score: number
  /** The passages around it in its document, itself included, in order; only where they were asked for. */
  around?: readonly (Passage & { score: number })[]
}

/** A piece of a document, with its place. */
export interface Passage extends Chunk {
  chunkId: number
  docId: string
  version: number
  source: string
  title: string
  /** The version of the product that its document is for; null: it does not say. */
  applicableVersion?: string | null
  /** An address where people can read its document for themselves. */
  url?: string | null
  /** Only where it is not for customers. */
  audience?: 'staff' | null
}

export interface SearchRequest {
  query: string
  /** 1 to 50; default: the tuner's `rerank_top_k`. */
  topK?: number
  collection?: Collection
  /** `staff`: also what customers must not see. Default: `customers`. */
  audience?: Audience
  /** In place of the tuner's, to try them out. */
  parameters?: RetrievalParameters
  /** Looks into this document alone, at all of it. */
  within?: string
  /** Reads what stands around the best passages, too, for replies that give a whole section. Default: false. */
  withSurroundings?: boolean
  /** Leaves the rerank endpoint out: for many searches that nobody waits for. Default: false. */
  isRough?: boolean
  /** Told of each stage as it ends, for traces. It must not throw. */
  onStage?: (stage: SearchStage) => void
  /** Told of everything that the ranking judged, for explanations; what was told last counts. It must not throw. */
  onJudged?: (judgement: SearchJudgement) => void
}

/** The candidates of a search and what became of each. */
export type SearchJudgement =
  | { by: 'ranking'; query: RankingQuery; candidates: readonly ExplainedCandidate[] }
  /** The scores after a model judged the best once more. */
  | { by: 'reranking'; scores: ReadonlyMap<number, number> }

/** A stage of a search and how long it took; one follows the other, so their times add up to the search's. */
export type SearchStage =
  /** Passages that each index found; both may find the same one. */
  | { name: 'candidates'; durationMs: number; lexical: number; vector: number }
  /** Passages that were judged, and the scores of the best. */
  | { name: 'ranking' | 'rerank'; durationMs: number; judged: number; topScores: number[] }
