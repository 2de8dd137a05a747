import { looksLikeMarkdown } from './detect.ts'
import { htmlFragmentBlocks } from './html.ts'
import { markdownBlocks } from './markdown.ts'
import { plainTextBlocks } from './plain-text.ts'
import { isQuestion } from './questions.ts'
import type { Block, BlockPlace } from './types.ts'

/** A row or object as named values, in file order; an unnamed column has the name ''. */
export type Fields = [name: string, value: string][]

const QUESTION_NAMES = names(
  'question q query faq 问题 問題 问 提问 常见问题 标准问题 标准问 问句 用户问题 question_text',
)
const ANSWER_NAMES = names('answer a response reply 答案 回答 答 回复 答复 标准答案 解答 处理方案 answer_text')
const TITLE_NAMES = names('title subject heading name 标题 標題 主题 名称 文章标题')
const TEXT_NAMES = names('text content body description passage article 内容 內容 正文 描述 说明 文本 详情')
const MAX_METADATA_CHARS = 200
const MAX_METADATA_FIELDS = 32

/**
 * Rows of a data file as blocks. Question and answer columns become pairs; title and text columns become entries, or
 * pairs when most of the titles ask something; other rows are records. Further columns of pairs and entries are metadata.
 */
export function blocksFromRecords(rows: Iterable<Fields>, place: BlockPlace = {}): Block[] {
  const all = [...rows]
  const shape = shapeOf(all)
  if (!shape) return all.flatMap((fields) => recordBlock(fields, place))
  return all.flatMap((fields) => shapedBlock(fields, shape, place))
}

interface Shape {
  head: Set<string>
  body: Set<string>
  asks: boolean
}

function shapeOf(rows: Fields[]): Shape | null {
  const sample = rows.slice(0, 200)
  const has = (wanted: Set<string>) =>
    sample.filter((fields) => cellOf(fields, wanted) !== '').length * 2 > sample.length
  if (sample.length === 0) return null
  if (has(QUESTION_NAMES) && has(ANSWER_NAMES)) return { head: QUESTION_NAMES, body: ANSWER_NAMES, asks: true }
  if (has(QUESTION_NAMES) && has(TEXT_NAMES)) return { head: QUESTION_NAMES, body: TEXT_NAMES, asks: true }
  if (!has(TITLE_NAMES) || !has(TEXT_NAMES)) return null
  const asking = sample.filter((fields) => isQuestion(cellOf(fields, TITLE_NAMES))).length
  return { head: TITLE_NAMES, body: TEXT_NAMES, asks: asking * 2 > sample.length }
}

function shapedBlock(fields: Fields, shape: Shape, place: BlockPlace): Block[] {
  const title = cellOf(fields, shape.head).replace(/\s+/g, ' ').trim()
  const text = cellOf(fields, shape.body)
  if (title === '' || text.trim() === '') return recordBlock(fields, place)
  const head = firstField(fields, shape.head)
  const body = firstField(fields, shape.body)
  const rest = fields.filter((field) => field !== head && field !== body && !/html/i.test(field[0]))
  const metadata = metadataOf(rest)
  const blocks = [...textBlocks(text), ...longFields(rest)]
  return shape.asks
    ? [{ ...place, type: 'qa', question: title, answer: blocks, metadata }]
    : [{ ...place, type: 'entry', title, blocks, metadata }]
}

function recordBlock(fields: Fields, place: BlockPlace): Block[] {
  const filled = fields.filter(([, value]) => value.trim() !== '')
  if (filled.length === 0) return []
  return [{ ...place, type: 'record', fields: filled, metadata: metadataOf(filled) }]
}

/** A field's text by what it is written in: HTML, Markdown or plain. */
function textBlocks(text: string): Block[] {
  if (/<(?:p|div|br|ul|ol|li|table|h[1-6]|span|a)\b[^>\n]{0,500}>/i.test(text)) {
    return htmlFragmentBlocks(text)
  }
  return mayBeMarkdown(text) ? markdownBlocks(text) : plainTextBlocks(text)
}

function mayBeMarkdown(text: string): boolean {
  return (
    looksLikeMarkdown(text) || /\[[^\]\n]{1,200}\]\((?:https?:|\/|#|\.)[^)\n]{0,500}\)|^(?:```|#{1,6} )/m.test(text)
  )
}

function metadataOf(fields: Fields): Record<string, string> {
  const metadata: Record<string, string> = {}
  for (const [name, value] of fields) {
    if (name === '' || value.trim() === '' || value.length > MAX_METADATA_CHARS || value.includes('\n')) continue
    if (Object.keys(metadata).length >= MAX_METADATA_FIELDS) break
    metadata[name.slice(0, 60)] = value.trim()
  }
  return metadata
}

/** Further fields that are too long to be metadata are content. */
function longFields(fields: Fields): Block[] {
  const long = fields.filter(([, value]) => value.length > MAX_METADATA_CHARS || value.trim().includes('\n'))
  return long.map(([name, value]) => ({
    type: 'paragraph',
    text: name === '' ? value.trim() : `${name}: ${value.trim()}`,
  }))
}

function firstField(fields: Fields, wanted: Set<string>): Fields[number] | undefined {
  return fields.find(([name, value]) => wanted.has(normalName(name)) && value.trim() !== '')
}

function cellOf(fields: Fields, wanted: Set<string>): string {
  return firstField(fields, wanted)?.[1] ?? ''
}

/** Whether these column names form a known shape; used to tell a header row from data. */
export function isKnownHeader(columns: string[]): boolean {
  const known = columns.filter((column) => {
    const name = normalName(column)
    return QUESTION_NAMES.has(name) || ANSWER_NAMES.has(name) || TITLE_NAMES.has(name) || TEXT_NAMES.has(name)
  })
  return known.length >= 2
}

function normalName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .replace(/[（(].*$/, '')
}

function names(list: string): Set<string> {
  return new Set(list.split(' '))
}
