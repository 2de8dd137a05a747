import { malformedDocument, tooComplex } from '../failures.ts'
import { type DomNode, textOf } from '../html/text.ts'
import type { Block, ParsedContent } from '../types.ts'
import type { Archive } from './archive.ts'
import { coreProperties } from './properties.ts'
import { depthOf, elementsBelow, localName, readXml } from './xml.ts'

const MAX_DEPTH = 200

/** Slides in their order: the title as heading, text by its bullets, tables, then the speaker's notes. */
export function parsePptx(archive: Archive, fileName: string, maxSlides: number): ParsedContent {
  const slides = slideNames(archive)
  if (slides.length > maxSlides)
    throw tooComplex(fileName, `has ${slides.length} slides; at most ${maxSlides} are read`)
  const blocks = slides.flatMap((name, index) =>
    slideBlocks(archive, name, fileName).map((block) => ({ ...block, slide: index + 1 })),
  )
  const { title, metadata } = coreProperties(archive)
  return { title, metadata, blocks }
}

/** The order of the presentation's slide list, which may differ from that of the file names. */
function slideNames(archive: Archive): string[] {
  const all = [...archive.parts.keys()].filter((name) => /^ppt\/slides\/[^/]{1,200}\.xml$/.test(name))
  const targets = relationships(archive, 'ppt/_rels/presentation.xml.rels', 'ppt/')
  const listed = elementsBelow(readXml(archive, 'ppt/presentation.xml'), ['sldId'])
  const known = listed
    .map(({ attribs }) => targets.get(attribs?.['r:id'] ?? '') ?? '')
    .filter((name) => archive.parts.has(name))
  return known.length > 0 ? known : all.toSorted((a, b) => numberIn(a) - numberIn(b))
}

function slideBlocks(archive: Archive, name: string, fileName: string): Block[] {
  const notes = [...relationships(archive, name.replace(/([^/]+)$/, '_rels/$1.rels'), 'ppt/slides/').values()]
  const notesPart = notes.find((target) => /notesSlides\/[^/]+\.xml$/.test(target) && archive.parts.has(target))
  const shown = shapesOf(archive, name, fileName).flatMap(shapeBlocks)
  const spoken = notesPart ? shapesOf(archive, notesPart, fileName).filter((shape) => shape.role === 'body') : []
  // A title that stands below the text in the file still heads the slide.
  const headings = shown.filter((block) => block.type === 'heading')
  return [...headings, ...shown.filter((block) => block.type !== 'heading'), ...spoken.flatMap(shapeBlocks)]
}

interface Shape {
  /** Placeholder type: 'title', 'ctrTitle', 'subTitle', 'body', 'sldNum', …; '' for other shapes. */
  role: string
  paragraphs: { text: string; level: number }[]
  rows: string[][]
}

function shapesOf(archive: Archive, name: string, fileName: string): Shape[] {
  const tree = readXml(archive, name)
  if (elementsBelow(tree, ['sld', 'notes']).length === 0)
    throw malformedDocument(fileName, 'cannot be read as a PowerPoint presentation')
  if (depthOf(tree, MAX_DEPTH) > MAX_DEPTH)
    throw tooComplex(fileName, `nests elements more than ${MAX_DEPTH} levels deep`)
  return elementsBelow(tree, ['sp', 'graphicFrame']).map((shape) => ({
    role: placeholderOf(shape),
    paragraphs: localName(shape) === 'sp' ? elementsBelow(shape, ['p']).map(paragraphOf) : [],
    rows: elementsBelow(shape, ['tr']).map((row) => elementsBelow(row, ['tc']).map(textBelow)),
  }))
}

const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

function shapeBlocks(shape: Shape): Block[] {
  if (FURNITURE.has(shape.role)) return []
  const lines = shape.paragraphs.filter((paragraph) => paragraph.text !== '')
  const [header = [], ...rows] = shape.rows
  const table: Block[] = shape.rows.length > 0 ? [{ type: 'table', header, rows }] : []
  if (lines.length === 0) return table
  if (shape.role === 'title' || shape.role === 'ctrTitle') {
    return [{ type: 'heading', level: 2, text: lines.map((line) => line.text).join(' ') }]
  }
  if (lines.length === 1 || shape.role !== 'body') {
    return [...lines.map((line): Block => ({ type: 'paragraph', text: line.text })), ...table]
  }
  return [{ type: 'list', items: lines.map((line) => `${'  '.repeat(line.level)}- ${line.text}`) }, ...table]
}

function placeholderOf(shape: DomNode): string {
  const [placeholder] = elementsBelow(shape, ['ph'])
  // A placeholder without a type holds content (ECMA-376 part 1, 19.3.1.36).
  return placeholder ? (placeholder.attribs?.type ?? 'body') : ''
}

function paragraphOf(paragraph: DomNode): { text: string; level: number } {
  const [properties] = elementsBelow(paragraph, ['pPr'])
  const level = Number(properties?.attribs?.lvl ?? 0)
  return { text: textBelow(paragraph), level: level > 0 && level < 9 ? level : 0 }
}

function textBelow(node: DomNode): string {
  const parts = elementsBelow(node, ['t', 'br', 'p'], { nested: true }).map((found) => {
    if (localName(found) === 't') return textOf(found)
    return localName(found) === 'br' ? '\n' : ' '
  })
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
}

/** Relationship ids to the parts they point at, relative targets resolved against `base`. */
function relationships(archive: Archive, part: string, base: string): Map<string, string> {
  const found = elementsBelow(readXml(archive, part), ['Relationship']).map(
    ({ attribs: { Id = '', Target = '' } = {} }) => {
      const path = Target.startsWith('/') ? Target : new URL(Target, `file:///${base}`).pathname
      return [Id, path.slice(1)] as const
    },
  )
  return new Map(found)
}

function numberIn(name: string): number {
  return Number(/(\d{1,9})\.xml$/.exec(name)?.[1] ?? 0)
}
