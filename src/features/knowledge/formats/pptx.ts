import { XMLParser } from 'fast-xml-parser'
import type { Archive } from './archive.ts'
import { malformedDocument, tooComplex } from './failures.ts'
import { coreProperties } from './office-properties.ts'
import type { Block, ParsedContent } from './types.ts'

/** Elements in document order, as fast-xml-parser gives them: `{ tagName: children, ':@': attributes }` or `{ '#text': … }`. */
type XmlNode = Record<string, unknown>

const PARSER = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: true,
})
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
  const listed = textOfPart(archive, 'ppt/presentation.xml').match(/<(?:\w{1,20}:)?sldId\s[^>]{1,2000}>/g) ?? []
  const ordered = listed.map((tag) => targets.get(/\br:id=["']([^"']{1,100})["']/.exec(tag)?.[1] ?? '') ?? '')
  const known = ordered.filter((name) => archive.parts.has(name))
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
  let tree: XmlNode[]
  try {
    tree = PARSER.parse(textOfPart(archive, name)) as XmlNode[]
  } catch (cause) {
    throw malformedDocument(fileName, 'cannot be read as a PowerPoint presentation', cause)
  }
  if (depthOf(tree) > MAX_DEPTH) throw tooComplex(fileName, `nests elements more than ${MAX_DEPTH} levels deep`)
  return descendants(tree, SHAPES).map((shape) => {
    const inside = childrenOf(shape)
    return {
      role: placeholderOf(inside),
      paragraphs: tagOf(shape) === 'sp' ? descendants(inside, PARAGRAPH).map(paragraphOf) : [],
      rows: descendants(inside, ROW).map((row) => descendants(childrenOf(row), CELL).map(textBelow)),
    }
  })
}

const SHAPES = new Set(['sp', 'graphicFrame'])
const PARAGRAPH = new Set(['p'])
const ROW = new Set(['tr'])
const CELL = new Set(['tc'])
const PLACEHOLDER = new Set(['ph'])
const PARAGRAPH_PROPERTIES = new Set(['pPr'])
const TEXT = new Set(['t', 'br', 'p'])

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

function placeholderOf(inside: XmlNode[]): string {
  const [placeholder] = descendants(inside, PLACEHOLDER)
  // A placeholder without a type holds content (ECMA-376 part 1, 19.3.1.36).
  return placeholder ? (attributesOf(placeholder).type ?? 'body') : ''
}

function paragraphOf(paragraph: XmlNode): { text: string; level: number } {
  const [properties] = descendants(childrenOf(paragraph), PARAGRAPH_PROPERTIES)
  const level = Number(properties ? (attributesOf(properties).lvl ?? 0) : 0)
  return { text: textBelow(paragraph), level: level > 0 && level < 9 ? level : 0 }
}

function textBelow(node: XmlNode): string {
  const parts = descendants(childrenOf(node), TEXT, true).map((found) => {
    if (tagOf(found) !== 't') return tagOf(found) === 'br' ? '\n' : ' '
    return childrenOf(found)
      .map((child) => String(child['#text'] ?? ''))
      .join('')
  })
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
}

/** Elements of the given names in document order; does not look into a found one unless `nested`. */
function descendants(nodes: XmlNode[], names: Set<string>, nested = false): XmlNode[] {
  const found: XmlNode[] = []
  const stack = nodes.toReversed()
  for (let node = stack.pop(); node; node = stack.pop()) {
    const tag = tagOf(node)
    // The fallback of alternate content repeats the choice for older programs.
    if (tag === 'Fallback') continue
    if (names.has(tag)) found.push(node)
    if (nested || !names.has(tag)) for (const child of childrenOf(node).toReversed()) stack.push(child)
  }
  return found
}

function depthOf(nodes: XmlNode[]): number {
  let deepest = 0
  for (let level = nodes; level.length > 0 && deepest <= MAX_DEPTH; level = level.flatMap(childrenOf)) deepest++
  return deepest
}

function attributesOf(node: XmlNode): Record<string, string> {
  return (node[':@'] ?? {}) as Record<string, string>
}

function tagOf(node: XmlNode): string {
  for (const name in node) if (name !== ':@') return name
  return ''
}

function childrenOf(node: XmlNode): XmlNode[] {
  const children = node[tagOf(node)]
  return Array.isArray(children) ? (children as XmlNode[]) : []
}

/** Relationship ids to the parts they point at, relative targets resolved against `base`. */
function relationships(archive: Archive, part: string, base: string): Map<string, string> {
  const tags = textOfPart(archive, part).match(/<(?:\w{1,20}:)?Relationship\s[^>]{1,4000}>/g) ?? []
  return new Map(
    tags.map((tag) => {
      const target = /\bTarget=["']([^"']{1,1000})["']/.exec(tag)?.[1] ?? ''
      const path = target.startsWith('/') ? target : new URL(target, `file:///${base}`).pathname
      return [/\bId=["']([^"']{1,100})["']/.exec(tag)?.[1] ?? '', path.slice(1)]
    }),
  )
}

function textOfPart(archive: Archive, name: string): string {
  return archive.parts.get(name)?.toString('utf8') ?? ''
}

function numberIn(name: string): number {
  return Number(/(\d{1,9})\.xml$/.exec(name)?.[1] ?? 0)
}
