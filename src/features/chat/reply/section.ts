import { type Passage, type SearchHit, withoutRepetition } from '../../knowledge/index.ts'

/** A paragraph, a list or a table of a document, as one piece that is never torn. */
export interface Block {
  text: string
  passage: Passage
  /** The block announces the next one ("To enable it:"). */
  leadsOn: boolean
  /** The line or sentence belongs to the list or paragraph of the block before; null: it begins one. */
  goesOn: 'line' | 'sentence' | null
}

/** The blocks under one heading of a document, in its order. */
export interface Section {
  headingPath: readonly string[]
  blocks: Block[]
}

/** The nearest heading above a section or passage; '' where none stands there. */
export function headingOf({ headingPath }: Pick<Section, 'headingPath'>): string {
  return headingPath.at(-1) ?? ''
}

/** The passages of a document, in order, as the sections that a reader sees. */
export function sectionsOf(passages: readonly Passage[]): Section[] {
  const sections: Section[] = []
  let previous: Passage | null = null
  for (const passage of passages) {
    const isSame = previous !== null && isSamePlace(previous, passage)
    if (!isSame) sections.push({ headingPath: passage.headingPath, blocks: [] })
    const content = isSame ? withoutRepetition(previous as Passage, passage) : passage.content
    sections.at(-1)?.blocks.push(...blocksOf(content, passage))
    previous = passage
  }
  return sections.filter(({ blocks }) => blocks.length > 0)
}

/** The whole of what stands under the heading of a passage, with the passages that it is made of. */
export function sectionAround(hit: SearchHit): { text: string; chunkIds: ReadonlySet<number> } {
  const sections =
    hit.question === null ? sectionsOf((hit.around ?? []).filter(({ question }) => question === null)) : []
  const section = sections.find(({ blocks }) => blocks.some(({ passage }) => passage.chunkId === hit.chunkId))
  if (!section) return { text: hit.content, chunkIds: new Set([hit.chunkId]) }
  return {
    text: section.blocks.map(({ text }) => text).join('\n\n'),
    chunkIds: new Set(section.blocks.map(({ passage }) => passage.chunkId)),
  }
}

function isSamePlace(a: Passage, b: Passage): boolean {
  return (
    a.question === b.question && startsWith(a.headingPath, b.headingPath) && startsWith(b.headingPath, a.headingPath)
  )
}

export function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((heading, i) => path[i] === heading)
}

function blocksOf(content: string, passage: Passage): Block[] {
  const whole = passage.kind === 'code' || passage.kind === 'table' || passage.kind === 'record'
  const texts = whole ? [content] : content.split(/\n{2,}/)
  return texts
    .map((text) => text.trim())
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text) => ({ text, passage, leadsOn: announces(text), goesOn: null }))
}

/** Whether a text ends as one that goes on with what follows it ("To enable it:"). */
export function announces(text: string): boolean {
  return /[:：]\s*$/.test(text) && text.length <= 200
}
