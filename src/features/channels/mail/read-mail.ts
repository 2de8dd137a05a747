import { createHash } from 'node:crypto'
import type { Address, Attachment, Email } from 'postal-mime'
import { storableText } from '../callback-guard.ts'
import { htmlToText } from './html-text.ts'
import type { Mail, MailFile, MailKind } from './types.ts'

const MAX_NESTING = 50
const MAX_SUBJECT = 300
const MAX_ADDRESS = 250
const MAX_ANSWERED = 50
/** A picture of this size beside a text is the logo of a signature. */
const LOGO_BYTES = 20_000
/** Plain text that stands for the HTML beside it. */
const STUB_SHARE = 0.2

/** A mail (RFC 5322). Null: nothing that could be read. @param own the address that customers write to */
export async function readMail(bytes: Uint8Array, own: string): Promise<Mail | null> {
  const { default: PostalMime } = await import('postal-mime')
  const email = await PostalMime.parse(bytes, {
    attachmentEncoding: 'arraybuffer',
    maxNestingDepth: MAX_NESTING,
    forceRfc822Attachments: true,
  }).catch(() => null)
  const from = email && mailboxOf(email.from ?? email.sender)
  if (!email || !from) return null
  const id = idsIn(email.messageId ?? '')[0] ?? createHash('sha256').update(bytes).digest('hex')
  return {
    id,
    answers: [...new Set([...idsIn(email.inReplyTo ?? ''), ...idsIn(email.references ?? '').toReversed()])].slice(
      0,
      MAX_ANSWERED,
    ),
    from,
    subject: storableText(email.subject ?? '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_SUBJECT),
    text: storableText(textOf(email)),
    date: dateOf(email.date),
    files: email.attachments.flatMap(fileOf),
    kind: kindOf(email, from.address, own),
    reported: reportedIn(email),
  }
}

function mailboxOf(address: Address | undefined): Mail['from'] | null {
  const found = address?.address === undefined ? address?.group?.[0] : address
  const name = found?.address?.trim().toLowerCase() ?? ''
  if (!/^[^\s@<>"]+@[^\s@<>"]+$/.test(name) || name.length > MAX_ADDRESS) return null
  return { address: name, name: storableText(found?.name ?? '').slice(0, 100) }
}

function idsIn(text: string): string[] {
  return [...text.matchAll(/<([^<>\s]{1,900})>/g)].map(([, id = '']) => id)
}

function textOf({ text = '', html }: Email): string {
  if (!html) return text
  const shown = htmlToText(html)
  return text.trim().length >= shown.length * STUB_SHARE && text.trim() !== '' ? text : shown
}

function dateOf(given: string | undefined): Date {
  const date = new Date(given ?? '')
  return Number.isNaN(date.getTime()) ? new Date() : date
}

function fileOf({ filename, mimeType, disposition, related, content }: Attachment): MailFile[] {
  const isMail = mimeType === 'message/rfc822' || mimeType.startsWith('message/') || mimeType === 'text/rfc822-headers'
  if (typeof content === 'string' || isMail) return []
  const bytes = new Uint8Array(content)
  const isInline = related === true || (disposition === 'inline' && mimeType.startsWith('image/'))
  if (bytes.length === 0 || (isInline && bytes.length < LOGO_BYTES)) return []
  return [{ name: storableText(filename ?? '') || 'file', bytes }]
}

const ROBOTS = /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|auto-?reply|notifications?)(?:[+@.-]|$)/
const AUTOMATIC_SUBJECT =
  /^(?:(?:re|回复|答复)[:：]\s*)?(?:auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office|away from (?:my )?(?:desk|mail)|自动回复|自动答复|外出|不在办公室|休假|absence)/i
const UNDELIVERED_SUBJECT =
  /^(?:undeliver(?:able|ed)|delivery (?:status notification|failure|has failed)|mail delivery (?:failed|failure|subsystem)|failure notice|returned mail|退信|系统退信|邮件投递失败)/i

/**
 * Whether a person wrote it. RFC 3834 says how machines mark what they write; many do it in ways of their own.
 */
function kindOf(email: Email, from: string, own: string): MailKind {
  const header = (name: string): string =>
    email.headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase() ?? ''
  const isReport = header('content-type').startsWith('multipart/report')
  const isNobody = email.headers.some(({ key, value }) => key === 'return-path' && value.replace(/\s/g, '') === '<>')
  const isDaemon = /^(?:mailer-daemon|postmaster)@/.test(from)
  if (isReport && header('content-type').includes('delivery-status')) return 'bounce'
  if (UNDELIVERED_SUBJECT.test(email.subject ?? '') && (isDaemon || isNobody)) return 'bounce'
  if (from === own) return 'own'
  const submitted = header('auto-submitted')
  const isMarked = submitted !== '' && !submitted.startsWith('no')
  const isBulk = /^(?:bulk|junk|list|auto_reply)$/.test(header('precedence'))
  const named = ['x-autoreply', 'x-autorespond', 'x-autoresponse', 'list-id', 'list-unsubscribe', 'feedback-id']
  const isNamed = named.some((name) => header(name) !== '')
  const isMachine = isReport || isNobody || isDaemon || isMarked || isBulk || isNamed
  return isMachine || ROBOTS.test(from) || AUTOMATIC_SUBJECT.test(email.subject ?? '') ? 'automatic' : 'person'
}

/** Ids of messages that a report or a returned message names. */
function reportedIn(email: Email): string[] {
  const parts = email.attachments.flatMap(({ content, mimeType }) => {
    if (!mimeType.startsWith('message/') && mimeType !== 'text/rfc822-headers') return []
    return typeof content === 'string' ? [content] : [new TextDecoder().decode(content)]
  })
  const texts = [...parts, email.text ?? '', email.inReplyTo ?? '', email.references ?? '']
  return [...new Set(texts.flatMap((text) => idsIn(text.slice(0, 100_000))))].slice(0, MAX_ANSWERED)
}
