import { htmlFragmentBlocks } from './html/parse.ts'
import { markdownBlocks } from './markdown/parse.ts'
import { looksLikeMarkdown } from './markdown/signs.ts'
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
const LABEL =
  /(?:^|_)(?:id|key|sku|category|type|source|lang|language|locale|url|link|tags?|version|status|cluster|intent|created(?:_at)?|updated(?:_at)?)$|编号|分类|类别|类型|来源|标签|状态/
const MAX_METADATA_CHARS = 200
const MAX_METADATA_FIELDS = 32

/**
 * Rows of a data file as blocks. Question and answer columns become pairs; title and text columns become entries, or
 * pairs when most of the titles ask something; a lone text column becomes untitled entries; other rows are records.
 * Further columns of pairs are metadata; those of entries that tell something are also content.
 */
export function blocksFromRecords(rows: Iterable<Fields>, place: BlockPlace = {}): Block[] {
  const all = [...rows]
  const shape = shapeOf(all)
  if (!shape) return all.flatMap((fields) => recordBlock(fields, place))
  return all.flatMap((fields) => shapedBlock(fields, shape, place))
}

interface Shape {
  /** Column of the question or title; null for texts that have neither. */
  head: Set<string> | null
  body: Set<string>
  asks: boolean
}

function shapeOf(rows: Fields[]): Shape | null {
  const sample = rows.slice(0, 200)
  const most = (test: (fields: Fields) => boolean) => sample.filter(test).length * 2 > sample.length
  const has = (wanted: Set<string>) => most((fields) => cellOf(fields, wanted) !== '')
  if (has(QUESTION_NAMES) && has(ANSWER_NAMES)) return { head: QUESTION_NAMES, body: ANSWER_NAMES, asks: true }
  if (has(QUESTION_NAMES) && has(TEXT_NAMES)) return { head: QUESTION_NAMES, body: TEXT_NAMES, asks: true }
  if (!has(TEXT_NAMES)) return null
  if (!has(TITLE_NAMES)) return most(isBareText) ? { head: null, body: TEXT_NAMES, asks: false } : null
  const asks = most((fields) => isQuestion(cellOf(fields, TITLE_NAMES)))
  return { head: TITLE_NAMES, body: TEXT_NAMES, asks }
}

/** One text with nothing beside it but labels. */
function isBareText(fields: Fields): boolean {
  const rest = fields.filter(([name]) => !TEXT_NAMES.has(normalName(name)))
  return rest.length < fields.length && rest.every(([name]) => isLabel(name))
}

function shapedBlock(fields: Fields, shape: Shape, place: BlockPlace): Block[] {
  const head = shape.head && firstField(fields, shape.head)
  const body = firstField(fields, shape.body)
  if (!body || (shape.head && !head)) return recordBlock(fields, place)
  const title = (head?.[1] ?? '').replace(/\s+/g, ' ').trim()
  const rest = fields.filter((field) => field !== head && field !== body && !/html/i.test(field[0]))
  const metadata = metadataOf(rest)
  if (shape.asks) {
    return [{ ...place, type: 'qa', question: title, answer: [...textBlocks(body[1]), ...longFields(rest)], metadata }]
  }
  const blocks = [...textBlocks(body[1]), ...detailLines(rest), ...longFields(rest)]
  return [{ ...place, type: 'entry', title, blocks, metadata }]
}

function recordBlock(fields: Fields, place: BlockPlace): Block[] {
  const filled = fields.filter(([, value]) => value.trim() !== '')
  if (filled.length === 0) return []
  const metadata = metadataOf(filled.filter(([name]) => isLabel(name)))
  return [{ ...place, type: 'record', fields: filled, metadata }]
}

/** Columns that identify or classify a row rather than tell something. */
function isLabel(name: string): boolean {
  return LABEL.test(normalName(name))
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
    if (name === '' || !isShort(value)) continue
    if (Object.keys(metadata).length >= MAX_METADATA_FIELDS) break
    metadata[name.slice(0, 60)] = value.trim()
  }
  return metadata
}

/** Short fields of an entry that tell something, such as a price. */
function detailLines(fields: Fields): Block[] {
  const told = fields.filter(([name, value]) => isShort(value) && !isLabel(name))
  const text = told.map(fieldLine).join('\n')
  return text === '' ? [] : [{ type: 'paragraph', text }]
}

function fieldLine([name, value]: Fields[number]): string {
  return name === '' ? value.trim() : `${name}: ${value.trim()}`
}

function isShort(value: string): boolean {
  return value.trim() !== '' && value.length <= MAX_METADATA_CHARS && !value.includes('\n')
}

/** Further fields that are too long to be metadata are content. */
function longFields(fields: Fields): Block[] {
  const long = fields.filter(([, value]) => value.trim() !== '' && !isShort(value))
  return long.map((field) => ({ type: 'paragraph', text: fieldLine(field) }))
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
