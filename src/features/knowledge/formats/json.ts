import { isJsonObject } from '../../../kernel/json.ts'
import { malformedDocument, tooComplex } from './failures.ts'
import { isQuestion } from './questions.ts'
import { blocksFromRecords, type Fields } from './records.ts'
import type { Block, ParsedContent } from './types.ts'

const MAX_DEPTH = 64
const MAX_HEADING_LEVEL = 6

type JsonObject = Record<string, unknown>

/** One JSON value: a list of entries, an object around such a list, a map of questions to answers, or any other data. */
export function parseJson(text: string, fileName: string): ParsedContent {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const lines = tryJsonLines(text)
    if (lines) return contentOf(lines)
    throw malformedDocument(fileName, `is not valid JSON: ${reasonOf(cause)}`, cause)
  }
  if (depthOf(value) > MAX_DEPTH) throw tooComplex(fileName, `is nested more than ${MAX_DEPTH} levels deep`)
  return contentOf(value)
}

/** One JSON value per line. Throws AppError with the line number of the first that is none. */
export function parseJsonLines(text: string, fileName: string): ParsedContent {
  const values: unknown[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      values.push(JSON.parse(line))
    } catch (cause) {
      if (index === 0) return parseJson(text, fileName)
      throw malformedDocument(fileName, `is not valid JSON in line ${index + 1}: ${reasonOf(cause)}`, cause)
    }
  }
  if (depthOf(values) > MAX_DEPTH) throw tooComplex(fileName, `is nested more than ${MAX_DEPTH} levels deep`)
  return contentOf(values.length === 1 ? values[0] : values)
}

function tryJsonLines(text: string): unknown[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 2) return null
  try {
    return lines.map((line) => JSON.parse(line) as unknown)
  } catch {
    return null
  }
}

function contentOf(value: unknown): ParsedContent {
  const title = isJsonObject(value) && typeof value.title === 'string' ? value.title.slice(0, 300) : null
  const blocks = isJsonObject(value) ? objectBlocks(value, 1) : valueBlocks(value, 1)
  return { title, blocks }
}

function valueBlocks(value: unknown, level: number): Block[] {
  if (Array.isArray(value)) return arrayBlocks(value, level)
  if (isJsonObject(value)) return objectBlocks(value, level)
  const text = scalar(value)
  return text === '' ? [] : [{ type: 'paragraph', text }]
}

function arrayBlocks(values: unknown[], level: number): Block[] {
  const objects = values.filter(isJsonObject)
  if (objects.length > 0 && objects.length === values.length) return blocksFromRecords(objects.map(fieldsOf))
  if (values.every((value) => !isJsonObject(value) && !Array.isArray(value))) {
    const items = values.map(scalar).filter((item) => item !== '')
    return items.length === 0 ? [] : [{ type: 'list', items: items.map((item) => `- ${item}`) }]
  }
  return values.flatMap((value) => valueBlocks(value, level))
}

/** Scalars form one record; each nested list or object gets a heading of its own. */
function objectBlocks(value: JsonObject, level: number): Block[] {
  const entries = Object.entries(value)
  if (isQuestionMap(entries)) {
    return entries.map(([question, answer]) => ({
      type: 'qa',
      question,
      answer: [{ type: 'paragraph', text: scalar(answer) }],
      metadata: {},
    }))
  }
  const flat = entries.filter(([, entry]) => !isJsonObject(entry) && !Array.isArray(entry))
  const blocks = blocksFromRecords(flat.length > 0 ? [flat.map(([name, entry]) => [name, scalar(entry)])] : [])
  for (const [name, entry] of entries) {
    if (!isJsonObject(entry) && !Array.isArray(entry)) continue
    const inner = valueBlocks(entry, level + 1)
    if (inner.length === 0) continue
    blocks.push({ type: 'heading', level: Math.min(level, MAX_HEADING_LEVEL), text: name.slice(0, 200) })
    for (const block of inner) blocks.push(block)
  }
  return blocks
}

function isQuestionMap(entries: [string, unknown][]): boolean {
  if (entries.length === 0 || entries.some(([, value]) => typeof value !== 'string' || value.trim() === ''))
    return false
  return entries.filter(([name]) => isQuestion(name)).length * 2 > entries.length
}

/** Nested values become fields named by their path: "address.city", "items[2].name". */
function fieldsOf(value: JsonObject): Fields {
  return pathFields(value, '').filter(([, text]) => text !== '')
}

function pathFields(value: unknown, path: string): Fields {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, item]) => pathFields(item, path === '' ? name : `${path}.${name}`))
  }
  if (!Array.isArray(value)) return [[path, scalar(value)]]
  if (value.some((item) => isJsonObject(item) || Array.isArray(item))) {
    return value.flatMap((item, index) => pathFields(item, `${path}[${index + 1}]`))
  }
  const items = value.map(scalar).filter((item) => item !== '')
  return [[path, items.join(', ')]]
}

function depthOf(value: unknown): number {
  let deepest = 0
  const stack: [unknown, number][] = [[value, 1]]
  while (stack.length > 0) {
    const [current, depth] = stack.pop() as [unknown, number]
    if (depth > deepest) deepest = depth
    if (deepest > MAX_DEPTH) return deepest
    if (typeof current !== 'object' || current === null) continue
    for (const child of Object.values(current)) if (typeof child === 'object') stack.push([child, depth + 1])
  }
  return deepest
}

function scalar(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

/** V8 repeats part of the input in its message; the position is what helps. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  return /line \d+ column \d+/.exec(message)?.[0] ?? /position \d+/.exec(message)?.[0] ?? 'unexpected end or character'
}
