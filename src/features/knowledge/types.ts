import type { RetrievalParameters } from './parameters.ts'

/** What callers say about a document beside its bytes. */
export interface DocumentMetadata {
  knowledgeType: string
  productCategory: string
  applicableVersion: string
  /** When the content was published; null: unknown, the upload's time counts. */
  publishedAt: Date | null
}

export interface PreparedChunk {
  ordinal: number
  kind: string
  title: string
  headingPath: readonly string[]
  question: string | null
  content: string
  page: number | null
  metadata: Record<string, string>
  searchText: string
  features: Uint8Array
  /** One vector for each generation that is served or being built. */
  embeddings: readonly { generation: number; vector: Float32Array }[]
}

export type Collection = 'main' | 'canary'

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

/** One passage that answers a query, best first in a result. `score` is in 0..1 and comparable between queries. */
export interface SearchHit {
  chunkId: number
  docId: string
  version: number
  source: string
  title: string
  headingPath: string[]
  kind: string
  question: string | null
  content: string
  page: number | null
  metadata: Record<string, string>
  score: number
}

export interface SearchRequest {
  query: string
  /** 1 to 50; default: the tuner's `rerank_top_k`. */
  topK?: number
  collection?: Collection
  /** In place of the tuner's, to try them out. */
  parameters?: RetrievalParameters
  /** Leaves the rerank endpoint out: for many searches that nobody waits for. Default: false. */
  isRough?: boolean
}
