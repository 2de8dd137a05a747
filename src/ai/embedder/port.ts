/** The purpose of an embedding; some models want to be told. */
export type EmbeddingKind = 'document' | 'query'

/**
 * Turns texts into vectors whose cosine tells how alike they are. Vectors have length 1 (all zeros for a text without content)
 * and come in the order of the texts.
 */
export interface Embedder {
  /** Changes whenever the same text would get another vector: stored vectors of another id must not be compared with new ones. */
  readonly id: string
  readonly dimensions: number
  /** @throws AppError `unavailable` when a remote model cannot be reached; the signal's reason when aborted. */
  embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]>
}
