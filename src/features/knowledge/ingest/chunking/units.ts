import { bareQuestion } from '../../formats/questions.ts'
import type { Block } from '../../formats/types.ts'
import { splitText } from './sentences.ts'
import { countTokens } from './tokens.ts'
import type { ChunkKind, ChunkOptions } from './types.ts'

/** The smallest thing that packing moves: a paragraph, list item, table row, piece of code. Never above `maxTokens`. */
export interface Unit {
  text: string
  tokens: number
  kind: ChunkKind
  page: number | null
  /** Written between this unit and the one before. */
  separator: '\n' | '\n\n'
  /** A sentence that introduces what follows; not left behind at a chunk's end. */
  leadsOn: boolean
  /** Begins with text of the unit before, so that both may not share a chunk. */
  overlaps: boolean
  /** Lines to repeat at the top of each chunk that holds rows of this table. */
  header: { text: string; tokens: number } | null
}

/** Units of the blocks that make up one section or one answer. */
export function unitsOf(blocks: Block[], options: ChunkOptions): Unit[] {
  const units: Unit[] = []
  for (const block of blocks) for (const unit of blockUnits(block, options)) units.push(unit)
  return units
}

function blockUnits(block: Block, options: ChunkOptions): Unit[] {
  const page = block.page ?? block.slide ?? null
  switch (block.type) {
    case 'heading':
      return textUnits(block.text, 'text', page, options, true)
    case 'paragraph':
      return textUnits(block.text, 'text', page, options, /[:：]$/.test(block.text))
    case 'list':
      return block.items.flatMap((item, index) => joined(textUnits(item, 'text', page, options), index > 0))
    case 'table':
      return tableUnits(block.header, block.rows, page, options)
    case 'code':
      return lineUnits(block.text, 'code', page, options)
    case 'record':
      return lineUnits(block.fields.map(fieldLine).join('\n'), 'record', page, options)
    case 'entry':
      return [...textUnits(block.title, 'text', page, options, true), ...unitsOf(block.blocks, options)]
    case 'qa':
      return [
        ...textUnits(bareQuestion(block.question), 'text', page, options, true),
        ...unitsOf(block.answer, options),
      ]
  }
}

function fieldLine([name, value]: [string, string]): string {
  return name === '' ? value : `${name}: ${value}`
}

function textUnits(text: string, kind: ChunkKind, page: number | null, options: ChunkOptions, leadsOn = false): Unit[] {
  const pieces = splitText(text.trim(), options.maxTokens, options.overlapTokens)
  return pieces
    .filter((piece) => piece !== '')
    .map((piece, index) => unit(piece, kind, page, { leadsOn, overlaps: index > 0 }))
}

/** Whole when it fits; else lines are gathered, and a line that is too long alone is cut. */
function lineUnits(text: string, kind: ChunkKind, page: number | null, options: ChunkOptions): Unit[] {
  const trimmed = text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
  if (trimmed.trim() === '') return []
  if (countTokens(trimmed) <= options.maxTokens) return [unit(trimmed, kind, page)]
  const units: Unit[] = []
  for (const line of trimmed.split('\n')) {
    for (const piece of splitText(line, options.maxTokens, 0)) {
      if (piece.trim() !== '') units.push(unit(piece, kind, page, { separator: units.length > 0 ? '\n' : '\n\n' }))
    }
  }
  return units
}

function tableUnits(header: string[], rows: string[][], page: number | null, options: ChunkOptions): Unit[] {
  const headerText = rowLine(header)
  const headerTokens = countTokens(headerText)
  if (rows.length === 0) return textUnits(headerText, 'table', page, options)
  // A header that would fill a good part of every chunk is written with each value instead.
  const labelled = headerTokens > options.maxTokens / 4
  const shared = headerText === '' || labelled ? null : { text: headerText, tokens: headerTokens }
  return rows.flatMap((row, index) => {
    const text = labelled ? labelledRow(header, row) : rowLine(row)
    const room = options.maxTokens - (shared?.tokens ?? 0)
    const pieces = splitText(text, room, 0).map((piece) => unit(piece, 'table', page, { header: shared }))
    return joined(pieces, index > 0 && !labelled)
  })
}

function labelledRow(header: string[], row: string[]): string {
  const width = Math.max(header.length, row.length)
  return Array.from({ length: width }, (_, i) => fieldLine([header[i] ?? '', row[i] ?? ''])).join('\n')
}

function rowLine(cells: string[]): string {
  return cells.every((cell) => cell.trim() === '') ? '' : cells.map((cell) => cell.trim()).join(' | ')
}

function joined(units: Unit[], toPrevious: boolean): Unit[] {
  const [first] = units
  if (first && toPrevious) first.separator = '\n'
  return units
}

function unit(text: string, kind: ChunkKind, page: number | null, extra: Partial<Unit> = {}): Unit {
  return {
    text,
    tokens: countTokens(text),
    kind,
    page,
    separator: '\n\n',
    leadsOn: false,
    overlaps: false,
    header: null,
    ...extra,
  }
}
