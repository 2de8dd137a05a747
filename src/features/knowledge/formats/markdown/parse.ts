import { fromMarkdown } from 'mdast-util-from-markdown'
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfm } from 'micromark-extension-gfm'
import { parse as parseYaml } from 'yaml'
import { pairQuestions } from '../pair-questions.ts'
import { soleTopHeading } from '../titles.ts'
import type { Block, ParsedContent } from '../types.ts'
import { blocksFromMdast, type MdastNode } from './blocks.ts'
import { withoutDialects } from './dialects.ts'
import { markdownPieces } from './pieces.ts'

const MAX_DEFINITIONS = 200
const MAX_FRONT_MATTER_CHARS = 64 * 1024
const MAX_ATTRIBUTES = 40

const EXTENSIONS = [gfm()]
const MDAST_EXTENSIONS = [gfmFromMarkdown()]

/** CommonMark with GitHub tables, task lists and front matter. Raw HTML inside is read as HTML, comments are dropped. */
export function parseMarkdown(text: string): ParsedContent {
  const { attributes, body } = splitFrontMatter(text.replace(/\r\n?/g, '\n'))
  const blocks = pairQuestions(markdownBlocks(withoutDialects(body)))
  const language = attributes.lang ?? attributes.language ?? null
  return { title: titleOf(attributes.title, soleTopHeading(blocks)), language, metadata: attributes, blocks }
}

/** A title that only adds a number of the editors' to the page's own heading ("8000087 Keyboard shortcuts") says less. */
function titleOf(named: string | undefined, heading: string | null): string | null {
  if (named === undefined) return heading
  const isNumbered = heading !== null && /^\d{3,}$/.test(named.slice(0, -heading.length).trim())
  return isNumbered && named.endsWith(heading) ? heading : named
}

/** The blocks of a Markdown text without front matter. */
export function markdownBlocks(text: string): Block[] {
  const normalised = text.replace(/\r\n?/g, '\n')
  const definitions = linkDefinitions(normalised)
  const blocks: Block[] = []
  for (const piece of markdownPieces(normalised)) {
    const parsed = 'block' in piece ? [piece.block] : parseSource(piece.source, definitions)
    const [first] = parsed
    const last = blocks.at(-1)
    if (piece.continues && first && last && goesOn(last, first)) parsed.shift()
    for (const block of parsed) blocks.push(block)
  }
  return blocks.filter((block) => block.type !== 'paragraph' || block.text !== '')
}

/** Adds the beginning of a part to the block that it was cut from; false when they are of different kinds. */
function goesOn(last: Block, first: Block): boolean {
  if (last.type === 'list' && first.type === 'list') for (const item of first.items) last.items.push(item)
  else if (last.type === 'table' && first.type === 'table') for (const row of first.rows) last.rows.push(row)
  else if (last.type === 'paragraph' && first.type === 'paragraph') last.text = `${last.text}\n${first.text}`
  else return false
  return true
}

function parseSource(text: string, definitions: string): Block[] {
  const source = definitions !== '' && text.includes('][') ? `${text}\n\n${definitions}` : text
  const tree = fromMarkdown(source, { extensions: EXTENSIONS, mdastExtensions: MDAST_EXTENSIONS })
  return blocksFromMdast(tree as MdastNode)
}

function splitFrontMatter(text: string): { attributes: Record<string, string>; body: string } {
  const end = text.startsWith('---\n') ? text.slice(0, MAX_FRONT_MATTER_CHARS).search(/\n---[ \t]*(?:\n|$)/) : -1
  if (end < 0) return { attributes: {}, body: text }
  const tree = fromMarkdown(text.slice(0, end + 4), {
    extensions: [frontmatter(['yaml'])],
    mdastExtensions: [frontmatterFromMarkdown(['yaml'])],
  })
  const first = tree.children[0]
  if (first?.type !== 'yaml') return { attributes: {}, body: text }
  return { attributes: scalarAttributes(first.value), body: text.slice(end + 4) }
}

/** Scalars and flat lists of the front matter as text; a front matter that is not YAML is ignored. */
function scalarAttributes(yaml: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [name, value] of Object.entries(yamlObject(yaml)).slice(0, MAX_ATTRIBUTES)) {
    const text = Array.isArray(value) ? value.filter((item) => typeof item !== 'object').join(', ') : value
    if (text === null || typeof text === 'object' || String(text).trim() === '') continue
    attributes[name.slice(0, 60)] = String(text).slice(0, 500)
  }
  return attributes
}

function yamlObject(yaml: string): object {
  try {
    const value: unknown = parseYaml(yaml, { maxAliasCount: 10 })
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Reference definitions of the whole text: a part would otherwise show "[text][label]" for those of another part. */
function linkDefinitions(text: string): string {
  if (!text.includes('][')) return ''
  const found = text.match(/^ {0,3}\[[^\]\n]{1,200}\]: {0,4}\S{1,500}$/gm) ?? []
  return found.slice(0, MAX_DEFINITIONS).join('\n')
}
