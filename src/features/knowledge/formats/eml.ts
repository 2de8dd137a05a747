import PostalMime, { type Address, type Email } from 'postal-mime'
import { malformedDocument } from './failures.ts'
import { htmlDepth, parseHtml } from './html/parse.ts'
import { parsePlainText } from './plain-text.ts'
import type { Block, ParsedContent } from './types.ts'

const MAX_HTML_DEPTH = 400

/** A mail message (RFC 5322): its subject is the title, its text or HTML the content; attachments are named, not read. */
export async function parseEml(bytes: Uint8Array, fileName: string): Promise<ParsedContent> {
  let mail: Email
  try {
    mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', maxNestingDepth: 50 })
  } catch (cause) {
    throw malformedDocument(fileName, 'cannot be read as a mail message', cause)
  }
  const blocks = bodyBlocks(mail)
  return { title: mail.subject?.trim().slice(0, 300) || null, metadata: metadataOf(mail), blocks }
}

/** The plain text, unless it is only a stub such as "Your program cannot show HTML". */
function bodyBlocks(mail: Email): Block[] {
  const plain = parsePlainText(mail.text ?? '').blocks
  if (!mail.html || htmlDepth(mail.html) > MAX_HTML_DEPTH) return plain
  const html = parseHtml(mail.html).blocks
  return lengthOf(plain) * 2 >= lengthOf(html) ? plain : html
}

function lengthOf(blocks: Block[]): number {
  return JSON.stringify(blocks).length
}

function metadataOf(mail: Email): Record<string, string> {
  const entries: [string, string][] = [
    ['from', mail.from ? nameOf(mail.from) : ''],
    ['to', (mail.to ?? []).map(nameOf).join(', ')],
    ['date', mail.date ?? ''],
    ['attachments', mail.attachments.map((attachment) => attachment.filename ?? attachment.mimeType).join(', ')],
  ]
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value.slice(0, 500)]).filter(([, value]) => value !== ''),
  )
}

function nameOf(address: Address): string {
  return address.name || address.address || ''
}
