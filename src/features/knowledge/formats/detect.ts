import { malformedDocument, unsupportedFile } from './failures.ts'
import { type DocumentFormat, FORMATS } from './formats.ts'
import { looksLikeMarkdown } from './markdown/signs.ts'

/** File name extensions that are read, and the format that each one hints at. */
const BY_EXTENSION = new Map(
  Object.entries(FORMATS).flatMap(([format, { extensions }]) =>
    extensions.map((extension) => [extension, format as DocumentFormat]),
  ),
)

export const supportedExtensions: readonly string[] = [...BY_EXTENSION.keys()]

/** First bytes of what people upload by mistake, with the words that tell them so. */
const FOREIGN_MAGIC: readonly [bytes: string, what: string][] = [
  ['\xd0\xcf\x11\xe0', 'is an old or password-protected Office file; save it as docx, xlsx or pptx without a password'],
  ['MZ', 'is a Windows program'],
  ['\x7fELF', 'is a Linux program'],
  ['\xca\xfe\xba\xbe', 'is a program'],
  ['\xcf\xfa\xed\xfe', 'is a macOS program'],
  ['\x89PNG', 'is a PNG image'],
  ['\xff\xd8\xff', 'is a JPEG image'],
  ['GIF8', 'is a GIF image'],
  ['RIFF', 'is an image, sound or video file'],
  ['ID3', 'is a sound file'],
  ['\x1f\x8b', 'is a gzip archive'],
  ['7z\xbc\xaf', 'is a 7z archive'],
  ['Rar!', 'is a RAR archive'],
  ['BZh', 'is a bzip2 archive'],
  ['\xfd7zX', 'is an xz archive'],
  ['{\\rtf', 'is an RTF file; save it as docx'],
  ['%!PS', 'is a PostScript file; save it as PDF'],
  ['SQLite', 'is a database file'],
]

/** Lower-case extension with its dot, or '' when the name has none. */
function extensionOf(fileName: string): string {
  const match = /\.[^.\\/\s]{1,12}$/.exec(fileName)
  return match ? match[0].toLowerCase() : ''
}

/** The kind of file that the first bytes alone show: a container to look into, or text (null). Throws AppError for foreign kinds. */
export function detectBinary(bytes: Uint8Array, fileName: string): 'pdf' | 'zip' | null {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return 'zip'
  // Readers accept junk before the header within the first kilobyte (ISO 32000-1, annex H.3, note 13).
  if (head.includes('%PDF-') && !head.startsWith('MZ')) return 'pdf'
  for (const [magic, what] of FOREIGN_MAGIC) {
    if (head.startsWith(magic)) throw unsupportedFile(fileName, `${what}, which cannot be read. ${readable()}`)
  }
  return null
}

/** Decides the format of decoded text: its structure first, then the name. Throws AppError when neither is known. */
export function detectText(text: string, fileName: string): DocumentFormat {
  refuseBinary(text, fileName)
  const extension = extensionOf(fileName)
  const hint = BY_EXTENSION.get(extension)
  if (extension !== '' && hint === undefined) {
    throw unsupportedFile(fileName, `has the unsupported type "${extension}". ${readable()}`)
  }
  if (hint !== undefined && !FORMATS[hint].isText) {
    throw unsupportedFile(fileName, `is named ${extension} but its content is plain text, not ${hint.toUpperCase()}`)
  }
  if (looksLikeHtmlDocument(text)) return 'html'
  if (hint !== undefined && hint !== 'md' && hint !== 'txt') return hint
  if (looksLikeMail(text)) return 'eml'
  if (hint !== 'md' && looksLikeMarkdown(text)) return 'md'
  return hint ?? 'txt'
}

function readable(): string {
  return `Supported: ${Object.keys(FORMATS).join(', ')}`
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
