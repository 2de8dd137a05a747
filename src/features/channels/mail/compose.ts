import { createHash } from 'node:crypto'
import type { MailAddress, MailFile } from './types.ts'

/** A mail as it is handed to the server. */
export interface Composed {
  from: { name: string; address: string }
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
  inReplyTo?: string
  references?: string[]
  headers: Record<string, string>
  attachments: { filename: string; content: Buffer }[]
}

const MAX_QUOTED_LINES = 15
const MAX_REFERENCES = 20

/**
 * The answer to a mail. Its id is made of the message here, so that one that is sent again is the same mail, which
 * servers and programs show once.
 */
export function composeReply(
  from: { name: string; address: string },
  to: MailAddress,
  reply: { messageId: string; text: string; isAutomatic: boolean; files: readonly MailFile[] },
): Composed {
  const quoted = quoteOf(to)
  const { text, isAutomatic, files } = reply
  return {
    from,
    to: { name: to.name, address: to.to },
    subject: /^(?:re|回复|答复)\s?[:：]/i.test(to.subject) ? to.subject : `Re: ${to.subject || '…'}`,
    text: `${text}\n\n${quoted}`,
    html: `<div>${toHtml(text)}</div><br><blockquote style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">${toHtml(quoted.replace(/^> ?/gm, ''))}</blockquote>`,
    messageId: `<${idOf(reply.messageId, from.address)}>`,
    ...(to.id !== '' && {
      inReplyTo: `<${to.id}>`,
      references: [...to.references.slice(-MAX_REFERENCES), to.id].map((id) => `<${id}>`),
    }),
    headers: {
      'X-Auto-Response-Suppress': 'All',
      // RFC 3834: so that no other machine answers what a machine wrote.
      ...(isAutomatic && { 'Auto-Submitted': 'auto-replied', Precedence: 'auto_reply' }),
    },
    attachments: files.map(({ name, bytes }) => ({ filename: name, content: Buffer.from(bytes) })),
  }
}

/** Without angle brackets. */
export function idOf(messageId: string, address: string): string {
  const [, domain = 'localhost'] = address.split('@')
  return `${createHash('sha256').update(messageId).digest('hex').slice(0, 32)}@${domain}`
}

function quoteOf({ quoted, name, to, date }: MailAddress): string {
  const lines = quoted.split('\n')
  const shown = lines.length > MAX_QUOTED_LINES ? [...lines.slice(0, MAX_QUOTED_LINES), '…'] : lines
  return `On ${date.slice(0, 16).replace('T', ' ')} UTC, ${name || to} wrote:\n${shown.map((line) => `> ${line}`).join('\n')}`
}

function toHtml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? '')
    .replace(/https?:\/\/[^\s<>"'）)]+/g, (url) => `<a href="${url}">${url}</a>`)
    .replaceAll('\n', '<br>\n')
}
