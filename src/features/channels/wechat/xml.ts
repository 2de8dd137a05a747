import { createRequire } from 'node:module'
import type { XMLParser } from 'fast-xml-parser'
import { AppError } from '../../../kernel/errors.ts'
import { isJsonObject } from '../../../kernel/json.ts'

/** Flat fields of a message, by name. Nested elements (`ScanCodeInfo`, `SendPicsInfo`) are left out: nothing here reads them. */
export type XmlFields = ReadonlyMap<string, string>

/**
 * Tags and entities together. Messages have some fifty; 64 KiB of nothing but tags keep the parser busy for 130 ms, and the
 * envelope of an encrypted message is parsed before its signature can be checked.
 */
const MAX_MARKUP = 400

const CDATA_START = '<![CDATA['
const CDATA_END = ']]>'

const OPTIONS = {
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: { enabled: true, maxEntityCount: 0 },
  maxNestedTags: 10,
}
const require = createRequire(import.meta.url)
let opened: XMLParser | undefined

/** For the first message: few have this channel. */
function parser(): XMLParser {
  const { XMLParser } = require('fast-xml-parser') as typeof import('fast-xml-parser')
  opened ??= new XMLParser(OPTIONS)
  return opened
}

/**
 * Reads the fields inside the `<xml>` root. Throws `invalid` (`callback_xml`) for malformed XML, DOCTYPE, comments and every
 * entity but XML's own five, whose expansion is the whole of the attack surface of an XML parser.
 */
export function parseXmlFields(xml: string): XmlFields {
  const text = xml.replace(/^\uFEFF/, '').trim()
  refuseDangerousMarkup(text)
  return flatFields(parseStrictly(text))
}

/** Looks outside CDATA only: inside it, a customer may well ask what a DOCTYPE is. Comments go too, for they could hide one. */
function refuseDangerousMarkup(xml: string): void {
  const markup = withoutCdata(xml)
  if ((markup.match(/[<&]/g)?.length ?? 0) > MAX_MARKUP) throw malformed('too many tags')
  if (markup.includes('<!')) throw malformed('a declaration or comment is not allowed')
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(markup)) throw malformed('an entity is not allowed')
}

function withoutCdata(xml: string): string {
  const kept: string[] = []
  let position = 0
  for (;;) {
    const start = xml.indexOf(CDATA_START, position)
    if (start === -1) return [...kept, xml.slice(position)].join(' ')
    kept.push(xml.slice(position, start))
    const end = xml.indexOf(CDATA_END, start)
    if (end === -1) throw malformed('a CDATA section has no end')
    position = end + CDATA_END.length
  }
}

function parseStrictly(xml: string): unknown {
  try {
    return parser().parse(xml, true)
  } catch (cause) {
    throw new AppError('invalid', 'callback_xml', 'body: not well-formed XML', { cause })
  }
}

function flatFields(document: unknown): XmlFields {
  const root = isJsonObject(document) && Object.hasOwn(document, 'xml') ? document.xml : undefined
  if (!isJsonObject(root)) throw malformed('the root element must be <xml> with fields')
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries(root)) {
    if (Array.isArray(value)) throw malformed(`the field ${name.slice(0, 40)} appears more than once`)
    if (typeof value === 'string') fields.set(name, value)
  }
  return fields
}

function malformed(why: string): AppError {
  return new AppError('invalid', 'callback_xml', `body: ${why}`)
}
