import { setImmediate as breathe } from 'node:timers/promises'
import type { Analyser } from '../../ai/analysis/analyser.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Chunk } from './chunking.ts'
import type { EmbeddingGenerations } from './embedding-generations.ts'
import { type ChunkedDocument, type ParserPool, readDocument } from './formats/index.ts'
import { type ChunkText, embeddingText, encodeFeatures, indexTerms } from './ranking.ts'
import type { PreparedChunk } from './types.ts'

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
  const title = titleOf(parsed, input.fileName)
  const prepared: PreparedChunk[] = []
  for (let start = 0; start < chunks.length; start += EMBED_BATCH) {
    const batch = chunks.slice(start, start + EMBED_BATCH)
    const analysed = await analyse(batch, title, analyser)
    const vectors = await embeddings.embedDocuments(analysed.map(embeddingText))
    analysed.forEach((chunk, i) => {
      prepared.push({
        ...chunk,
        embeddings: vectors.map((made) => ({ generation: made.generation, vector: made.vectors[i]! })),
      })
    })
  }
  return prepared
}

type Analysed = Omit<PreparedChunk, 'embeddings'>

async function analyse(chunks: readonly Chunk[], title: string, analyser: Analyser): Promise<Analysed[]> {
  const analysed: Analysed[] = []
  for (const [i, chunk] of chunks.entries()) {
    if (i % SLICE === 0) await breathe()
    const text: ChunkText = { title, headingPath: chunk.headingPath, question: chunk.question, content: chunk.content }
    const searchText = indexTerms(text, analyser).join(' ')
    analysed.push({ ...chunk, title, searchText, features: encodeFeatures(text, analyser) })
  }
  return analysed
}

/** A page of text is read here in milliseconds; anything longer or binary goes to a process that can be killed. */
function isShortText(bytes: Uint8Array): boolean {
  if (bytes.length > SHORT_TEXT_BYTES) return false
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  return !start.includes('\u0000') && !start.includes('%PDF-') && !start.startsWith('PK')
}

function titleOf(parsed: ChunkedDocument, fileName: string): string {
  return parsed.title ?? fileName.replace(/\.[^.]+$/, '')
}
