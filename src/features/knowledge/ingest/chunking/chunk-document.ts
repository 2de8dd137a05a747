import type { ParsedDocument } from '../../formats/types.ts'
import { pack } from './pack.ts'
import { type Section, sectionsOf } from './sections.ts'
import { type Chunk, type ChunkOptions, DEFAULT_CHUNK_OPTIONS } from './types.ts'

/**
 * Cuts a parsed document into the passages that are searched and cited. Deterministic and linear in the document's
 * length. Every visible word of the document is in some chunk's content, question, heading path or title.
 * Sizes are in tokens as `countTokens` estimates them; targetTokens must be at most maxTokens, and maxTokens at least 32.
 */
export function chunkDocument(
  document: Pick<ParsedDocument, 'title' | 'blocks'>,
  options: Partial<ChunkOptions> = {},
): Chunk[] {
  const all = { ...DEFAULT_CHUNK_OPTIONS, ...options }
  const chunks: Chunk[] = []
  for (const section of sectionsOf(document.blocks, document.title, all)) {
    for (const chunk of sectionChunks(section, document.title, all)) chunks.push({ ordinal: chunks.length, ...chunk })
  }
  return chunks
}

function sectionChunks(section: Section, title: string | null, options: ChunkOptions): Omit<Chunk, 'ordinal'>[] {
  return pack(section.units, options).map((packed) => ({
    kind: section.question === null ? packed.kind : 'qa',
    title,
    headingPath: section.headingPath,
    question: section.question,
    content: packed.content,
    page: packed.page,
    metadata: section.metadata,
  }))
}
