import { malformedDocument, unsupportedFile } from './failures.ts'
import type { DocumentFormat } from './types.ts'

/** File name extensions that are read, lower case with the dot, and the format that each one hints at. */
const EXTENSIONS: Record<string, DocumentFormat> = {
  '.md': 'md',
  '.markdown': 'md',
  '.txt': 'txt',
  '.text': 'txt',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.xlsx': 'xlsx',
  '.pptx': 'pptx',
  '.eml': 'eml',
}

export const supportedExtensions: readonly string[] = Object.keys(EXTENSIONS)

const TEXT_FORMATS: readonly DocumentFormat[] = ['md', 'txt', 'html', 'csv', 'json', 'jsonl', 'eml']

/** First bytes of what people upload by mistake, with the words that tell them so. */
const FOREIGN_MAGIC: readonly [bytes: readonly number[], what: string][] = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'is an old or password-protected Office file; save it as docx, xlsx or pptx without a password',
  ],
  [[0x4d, 0x5a], 'is a Windows program'],
  [[0x7f, 0x45, 0x4c, 0x46], 'is a Linux program'],
  [[0xca, 0xfe, 0xba, 0xbe], 'is a program'],
  [[0xcf, 0xfa, 0xed, 0xfe], 'is a macOS program'],
  [[0x89, 0x50, 0x4e, 0x47], 'is a PNG image'],
  [[0xff, 0xd8, 0xff], 'is a JPEG image'],
  [[0x47, 0x49, 0x46, 0x38], 'is a GIF image'],
  [[0x52, 0x49, 0x46, 0x46], 'is an image, sound or video file'],
  [[0x49, 0x44, 0x33], 'is a sound file'],
  [[0x1f, 0x8b], 'is a gzip archive'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'is a 7z archive'],
  [[0x52, 0x61, 0x72, 0x21], 'is a RAR archive'],
  [[0x42, 0x5a, 0x68], 'is a bzip2 archive'],
  [[0xfd, 0x37, 0x7a, 0x58], 'is an xz archive'],
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], 'is an RTF file; save it as docx'],
  [[0x25, 0x21, 0x50, 0x53], 'is a PostScript file; save it as PDF'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'is a database file'],
]

/** Lower-case extension with its dot, or '' when the name has none. */
function extensionOf(fileName: string): string {
  const match = /\.[^.\\/\s]{1,12}$/.exec(fileName)
  return match ? match[0].toLowerCase() : ''
}

/** What the first bytes alone say: a container to look into, or text (null). Throws AppError for foreign kinds. */
export function detectBinary(bytes: Uint8Array, fileName: string): 'pdf' | 'zip' | null {
  if (startsWith(bytes, [0x50, 0x4b, 3, 4]) || startsWith(bytes, [0x50, 0x4b, 5, 6])) return 'zip'
  // Readers accept junk before the header within the first kilobyte (ISO 32000-1, annex H.3, note 13).
  if (indexOfAscii(bytes.subarray(0, 1024), '%PDF-') >= 0 && !startsWith(bytes, [0x4d, 0x5a])) return 'pdf'
  for (const [magic, what] of FOREIGN_MAGIC) {
    if (startsWith(bytes, magic)) throw unsupportedFile(fileName, `${what}, which cannot be read. ${readable()}`)
  }
  return null
}

/** Decides the format of decoded text: its structure first, then the name. Throws AppError when neither is known. */
export function detectText(text: string, fileName: string): DocumentFormat {
  refuseBinary(text, fileName)
  const extension = extensionOf(fileName)
  const hint = EXTENSIONS[extension]
  if (extension !== '' && hint === undefined) {
    throw unsupportedFile(fileName, `has the unsupported type "${extension}". ${readable()}`)
  }
  if (hint !== undefined && !TEXT_FORMATS.includes(hint)) {
    throw unsupportedFile(fileName, `is named ${extension} but its content is plain text, not ${hint.toUpperCase()}`)
  }
  if (looksLikeHtmlDocument(text)) return 'html'
  if (hint === 'json' || hint === 'jsonl' || hint === 'csv' || hint === 'html' || hint === 'eml') return hint
  if (looksLikeMail(text)) return 'eml'
  if (hint !== 'md' && looksLikeMarkdown(text)) return 'md'
  return hint ?? 'txt'
}

function readable(): string {
  return 'Supported: md, txt, html, csv, json, jsonl, pdf, docx, xlsx, pptx, eml'
}

/** Control characters and replacement characters give away data that was decoded as if it were text. */
function refuseBinary(text: string, fileName: string): void {
  const sample = text.length > 200_000 ? text.slice(0, 100_000) + text.slice(-100_000) : text
  let odd = 0
  for (let i = 0; i < sample.length; i++) {
    const code = sample.charCodeAt(i)
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27)) odd++
  }
  if (odd > 8 && odd > sample.length * 0.02) {
    throw unsupportedFile(fileName, `holds binary data, not text. ${readable()}`)
  }
  if (odd > 0 && sample.length > 0 && odd >= sample.length * 0.5) {
    throw malformedDocument(fileName, 'holds no readable text')
  }
}

function looksLikeHtmlDocument(text: string): boolean {
  const head = text.slice(0, 2048).replace(/^\s+/, '').toLowerCase()
  return (
    head.startsWith('<!doctype html') ||
    head.startsWith('<html') ||
    /^<\?xml[^>]{0,200}>\s*<(!doctype )?html/.test(head)
  )
}

function looksLikeMail(text: string): boolean {
  const head = text.slice(0, 8192).split(/\r?\n\r?\n/, 1)[0] ?? ''
  const names =
    head.match(/^(?:from|to|date|subject|message-id|received|mime-version|return-path|content-type):/gim) ?? []
  return /^[\w-]{2,40}:/.test(head) && new Set(names.map((name) => name.toLowerCase())).size >= 4
}

/** Whether a text without a telling name uses Markdown: at least two different constructs, or headings. */
export function looksLikeMarkdown(text: string): boolean {
  const sample = text.slice(0, 64 * 1024)
  const headings = sample.match(/^#{1,6} \S/gm)?.length ?? 0
  if (headings >= 2) return true
  const signs = [
    headings > 0,
    /^(?:```|~~~)/m.test(sample),
    /\[[^\]\n]{1,200}\]\([^)\n]{1,500}\)/.test(sample),
    /^\|.{1,500}\|\s*$/m.test(sample) && /^\|[ :|-]{3,500}\|\s*$/m.test(sample),
    /\*\*[^*\n]{1,200}\*\*/.test(sample),
  ]
  return signs.filter(Boolean).length >= 2
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte)
}

function indexOfAscii(bytes: Uint8Array, needle: string): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(needle, 0, 'latin1')
}
