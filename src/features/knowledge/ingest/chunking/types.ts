/** 'qa': answers `question`. 'table', 'code', 'record': nothing else is in it. */
export type ChunkKind = 'text' | 'qa' | 'table' | 'code' | 'record'

export interface Chunk {
  /** 0, 1, 2, … in document order. */
  ordinal: number
  kind: ChunkKind
  /** The document's title. */
  title: string | null
  /** Headings above, outermost first, without the document's title and without the question. */
  headingPath: string[]
  question: string | null
  /** The text for a reader: plain text with lists, tables as "a | b" lines and code as written. Never empty. */
  content: string
  /** Page or slide on which the chunk begins, from 1. */
  page: number | null
  /** Details of this entry alone: columns of its row, the sheet's name. */
  metadata: Record<string, string>
}

export interface ChunkOptions {
  /** Units are gathered up to this size. */
  targetTokens: number
  /** No chunk's content is longer, by `countTokens`. */
  maxTokens: number
  /** A sentence of at most this size is repeated where a long paragraph was cut. */
  overlapTokens: number
  /** Neighbouring sections of at most this size are joined. */
  smallTokens: number
}

export const DEFAULT_CHUNK_OPTIONS: ChunkOptions = {
  targetTokens: 320,
  maxTokens: 560,
  overlapTokens: 48,
  smallTokens: 40,
}
