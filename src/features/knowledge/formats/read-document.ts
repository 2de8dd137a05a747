import { chunkDocument } from '../ingest/chunking/chunk-document.ts'
import type { Chunk, ChunkOptions } from '../ingest/chunking/types.ts'
import { parseDocument } from './parse-document.ts'
import type { DocumentInput, ParsedDocument, ParseLimits } from './types.ts'

/** A document cut into chunks, without its blocks. */
export type ChunkedDocument = Omit<ParsedDocument, 'blocks'> & { chunks: Chunk[] }

/**
 * Parses and chunks in this very thread, which is right for text that the program itself wrote and for tests; files of
 * others go through the parser pool. Rejects as `parseDocument` does.
 */
export async function readDocument(
  input: DocumentInput,
  options: { limits?: Partial<ParseLimits>; chunking?: Partial<ChunkOptions> } = {},
): Promise<ChunkedDocument> {
  const { blocks, ...document } = await parseDocument(input, options.limits)
  return { ...document, chunks: chunkDocument({ title: document.title, blocks }, options.chunking) }
}
