import { isBuiltIn } from '../../../../ai/embedder/built-in.ts'
import type { Embedder } from '../../../../ai/embedder/port.ts'
import { type ChunkText, decodeFeatures, embeddingText } from '../ranking/chunk-features.ts'
import { toVector } from '../ranking/semantics.ts'

/** A chunk with the result of `encodeFeatures`. */
export type EmbeddedChunk = ChunkText & { features: Uint8Array }

/** The vectors by which chunks are found. The built-in ones are among their features already. */
export async function chunkVectors(
  embedder: Embedder,
  chunks: readonly EmbeddedChunk[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  if (!isBuiltIn(embedder.id)) return embedder.embed(chunks.map(embeddingText), 'document', signal)
  return chunks.map(({ features }) => {
    const { meanings } = decodeFeatures(features)
    return meanings ? toVector(meanings.whole) : new Float32Array(embedder.dimensions)
  })
}
