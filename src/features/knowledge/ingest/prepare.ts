import { setImmediate as breathe } from 'node:timers/promises'
import { batchesOf } from '../../../kernel/batches.ts'
import { AppError } from '../../../kernel/errors.ts'
import { publicUrl } from '../../../kernel/public-url.ts'
import type { Analyser } from '../../../language/words/analyser.ts'
import type { ParserPool } from '../formats/parser-pool.ts'
import { readDocument } from '../formats/read-document.ts'
import type { EmbeddingGenerations } from '../retrieval/embeddings/generations.ts'
import { analyseChunk, type ChunkText } from '../retrieval/ranking/chunk-features.ts'
import type { PreparedChunk } from '../types.ts'
import type { Chunk } from './chunking/types.ts'

/** Chunks analysed before other requests get their turn. */
const SLICE = 10
const EMBED_BATCH = 256
const SHORT_TEXT_BYTES = 16 * 1024

export interface Preparation {
  analyser: Analyser
  embeddings: Pick<EmbeddingGenerations, 'embedDocuments'>
  parsers: Pick<ParserPool, 'parse'>
}

/** From bytes to chunks that can be published: parsed, cut, analysed and embedded. Touches nothing stored. */
export async function prepareChunks(
  { analyser, embeddings, parsers }: Preparation,
  input: { bytes: Uint8Array; fileName: string },
): Promise<PreparedChunk[]> {
  const parsed = await (isShortText(input.bytes) ? readDocument(input) : parsers.parse(input))
  const { chunks } = parsed
  if (chunks.length === 0) {
    throw new AppError('bad_request', 'empty_document', `file: ${input.fileName} holds no text that could be searched`)
  }
  const url = linkIn(parsed.metadata)
  const title = parsed.title ?? input.fileName.replace(/\.[^.]+$/, '')
  const linked = chunks.map((chunk) => (url === null ? chunk : { ...chunk, metadata: { ...chunk.metadata, url } }))
  return analyseChunks({ analyser, embeddings }, linked, title)
}

/** Passages of a document of this title, analysed and embedded. */
export async function analyseChunks(
  { analyser, embeddings }: Pick<Preparation, 'analyser' | 'embeddings'>,
  chunks: readonly Chunk[],
  title: string,
): Promise<PreparedChunk[]> {
  const prepared: PreparedChunk[] = []
  for (const batch of batchesOf(chunks, EMBED_BATCH)) {
    const analysed = await analyse(batch, title, analyser)
    const vectors = await embeddings.embedDocuments(analysed)
    analysed.forEach((chunk, i) => {
      prepared.push({
        ...chunk,
        embeddings: vectors.map((made) => ({ generation: made.generation, vector: made.vectors[i]! })),
      })
    })
  }
  return prepared
}

/** The address that a document names itself. */
function linkIn(metadata: Readonly<Record<string, string>>): string | null {
  const named = ['url', 'canonical_url', 'canonical', 'permalink'].map((name) => publicUrl(metadata[name] ?? ''))
  return named.find((url) => url !== null) ?? null
}

async function analyse(chunks: readonly Chunk[], title: string, analyser: Analyser) {
  const analysed: Omit<PreparedChunk, 'embeddings'>[] = []
  for (const [i, chunk] of chunks.entries()) {
    if (i % SLICE === 0) await breathe()
    const text: ChunkText = { title, headingPath: chunk.headingPath, question: chunk.question, content: chunk.content }
    analysed.push({ ...chunk, title, ...analyseChunk(text, analyser) })
  }
  return analysed
}

/** A page of text is read here in milliseconds; anything longer or binary goes to a process that can be killed. */
function isShortText(bytes: Uint8Array): boolean {
  if (bytes.length > SHORT_TEXT_BYTES) return false
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  return !start.includes('\u0000') && !start.includes('%PDF-') && !start.startsWith('PK')
}
