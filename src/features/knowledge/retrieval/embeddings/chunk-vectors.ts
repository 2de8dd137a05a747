import type { Embedder } from '../../../../ai/embedder/port.ts'
import { type ChunkText, embeddingText } from '../ranking/chunk-features.ts'

/** The vectors of a model by which chunks are found. The built-in ones are among their features, and stored nowhere else. */
export function chunkVectors(
  embedder: Embedder,
  chunks: readonly ChunkText[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  return embedder.embed(chunks.map(embeddingText), 'document', signal)
}
