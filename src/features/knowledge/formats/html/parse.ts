import { createRequire } from 'node:module'
import type { CheerioAPI } from 'cheerio/slim'
import { pairQuestions } from '../pair-questions.ts'
import { soleTopHeading } from '../titles.ts'
import type { Block, ParsedContent } from '../types.ts'
import { blocksFromDom } from './blocks.ts'
import { readable, tidy } from './cleanup.ts'
import type { DomNode } from './text.ts'

/**
 * htmlparser2 instead of parse5: parse5 walks its whole stack of open elements for each tag (20,000 nested elements took
 * 1.9 s) and may copy unclosed formatting into every paragraph; htmlparser2 is linear.
 */
const LENIENT = { xml: { xmlMode: false, decodeEntities: true, recognizeSelfClosing: false } } as const

const MAX_FRAGMENT_DEPTH = 400
/** For the first page: the service itself seldom reads one. */
const require = createRequire(import.meta.url)
const cheerio = (): typeof import('cheerio/slim') => require('cheerio/slim')

/** Main content of a page as blocks: no scripts, navigation, hidden parts or comments. Nothing is fetched or run. */
export function parseHtml(html: string): ParsedContent {
  const $ = loadHtml(html)
  const language = $('html').attr('lang')?.slice(0, 20) ?? null
  const title = $('title').first().text().replace(/\s+/g, ' ').trim()
  const description = $('meta[name="description"]').attr('content')?.trim().slice(0, 500)
  const url = $('link[rel="canonical"]').attr('href')?.trim()
  tidy($)
  const blocks = pairQuestions(blocksFromDom(readable($)))
  return {
    title: soleTopHeading(blocks) ?? (title || null),
    language,
    metadata: { ...(description ? { description } : {}), ...(url ? { url } : {}) },
    blocks,
  }
}

/**
 * The tree with everything in one element: the library compares every two nodes that stand at the top each time something
 * is looked for.
 */
export function loadHtml(html: string): CheerioAPI {
  const $ = cheerio().load(html, LENIENT)
  const root = $.root().get(0)
  const whole = $('<div></div>').get(0)
  if (!root || !whole || !('children' in whole) || root.children.length < 2) return $
  whole.children = root.children
  for (const child of whole.children) child.parent = whole
  whole.parent = root
  root.children = [whole]
  return $
}

/** Blocks of a piece of HTML that stands inside another format; one nested beyond reason is read without its tags. */
export function htmlFragmentBlocks(html: string): Block[] {
  if (htmlDepth(html) > MAX_FRAGMENT_DEPTH) {
    const text = html
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    return text === '' ? [] : [{ type: 'paragraph', text }]
  }
  const $ = loadHtml(html)
  tidy($)
  return blocksFromDom($.root().get(0) as unknown as DomNode)
}

/** Deepest nesting of elements that need an end tag; a cheap scan, before a parser is trusted with the input. */
export function htmlDepth(html: string): number {
  const tag = /<(\/?)([a-z][a-z0-9]{0,15})|<!--/gi
  let depth = 0
  let deepest = 0
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    if (match[0] === '<!--') {
      const end = html.indexOf('-->', match.index)
      if (end < 0) break
      tag.lastIndex = end
      continue
    }
    if (OPTIONAL_END.has((match[2] as string).toLowerCase())) continue
    depth = match[1] === '/' ? Math.max(0, depth - 1) : depth + 1
    if (depth > deepest) deepest = depth
  }
  return deepest
}

/** Void elements and those that HTML lets authors leave open. */
const OPTIONAL_END = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot option colgroup'.split(
    ' ',
  ),
)
