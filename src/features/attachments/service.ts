import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { insertMessage, tellDesk } from '../sessions/index.ts'
import { createLinks } from './links.ts'
import { MEDIA_TYPES, mediaTypeOf } from './media-type.ts'
import { countOf, findAttachment, insertAttachment, listAttachments, readBytes } from './queries.ts'
import type { Attachment } from './types.ts'

export interface AttachmentsOptions {
  db: Database
  live: LiveEvents
  clock: { now(): number }
  /** Under which links are signed, the same on every replica. */
  secret: string
  /** Files of one conversation; 0: none may be sent. */
  maxPerSession: number
  /** A state that the desk is told of, and whether whoever speaks is no more than a guest. Throws not_found and conflict. */
  openAsCustomer(viewed: { sessionId: string; userId: string }): Promise<{ isAtDesk: boolean; isGuest: boolean }>
  /** Whether the desk is told of what is said in a session. */
  isAtDesk(sessionId: string): Promise<boolean>
  /** Stores a message of a person, as every other; throws not_found and conflict. */
  writeAsAgent(
    trx: Executor,
    written: { sessionId: string; content: string; actor: { name: string; isAdmin: boolean } | null },
  ): Promise<{ messageId: string }>
}

export type Attachments = ReturnType<typeof createAttachments>

export interface SentFile {
  name: string
  bytes: Uint8Array
}

const MAX_NAME = 120

/** Files that customers and people send each other. */
export function createAttachments(options: AttachmentsOptions) {
  const { db, live, clock, secret, maxPerSession } = options
  const links = createLinks(secret, clock.now)

  async function store(
    trx: Executor,
    { sessionId, messageId, file }: { sessionId: string; messageId: string; file: CheckedFile },
  ): Promise<Attachment> {
    if ((await countOf(trx, sessionId)) >= maxPerSession) {
      throw new AppError('conflict', 'attachments', `A conversation holds ${maxPerSession} files at most`)
    }
    const { name: fileName, mediaType, bytes } = file
    return insertAttachment(trx, { attachmentId: newId('file'), sessionId, messageId, fileName, mediaType }, bytes)
  }

  const storeMessage = (
    { sessionId, isAtDesk, isGuest }: { sessionId: string; isAtDesk: boolean; isGuest: boolean },
    file: CheckedFile,
  ): Promise<Attachment> =>
    db.transaction(async (trx) => {
      const messageId = newId('msg')
      const attachment = await store(trx, { sessionId, messageId, file })
      const details = isGuest ? { guest: true } : {}
      await insertMessage(trx, { messageId, sessionId, role: 'user', content: contentOf(file.name), details })
      if (isAtDesk) {
        await tellDesk(trx, messageId)
        await live.publish(trx, { topic: 'workspace', type: 'message', ref: messageId })
      }
      return attachment
    })

  return {
    /** A file of the customer, as a message. Throws not_found, conflict, invalid or unsupported_media. */
    async sendAsCustomer(viewed: { sessionId: string; userId: string }, sent: SentFile): Promise<Attachment> {
      const opened = await options.openAsCustomer(viewed)
      return storeMessage({ sessionId: viewed.sessionId, ...opened }, checked(sent, maxPerSession))
    },

    /** A file that a platform brought, as a message of its customer. Throws as others do. */
    async sendAsPlatform(sessionId: string, sent: SentFile): Promise<Attachment> {
      const isAtDesk = await options.isAtDesk(sessionId)
      return storeMessage({ sessionId, isAtDesk, isGuest: false }, checked(sent, maxPerSession))
    },

    /** A file of the person who has the session. Throws not_found, conflict, invalid or unsupported_media. */
    async sendAsAgent(
      { sessionId, actor }: { sessionId: string; actor: { name: string; isAdmin: boolean } | null },
      sent: SentFile,
    ): Promise<Attachment> {
      const file = checked(sent, maxPerSession)
      return db.transaction(async (trx) => {
        const { messageId } = await options.writeAsAgent(trx, { sessionId, content: contentOf(file.name), actor })
        return store(trx, { sessionId, messageId, file })
      })
    },

    list: (sessionId: string): Promise<Attachment[]> => listAttachments(db.executor, sessionId),

    /** Throws as `openAsCustomer` does. */
    async listAsCustomer(viewed: { sessionId: string; userId: string }): Promise<Attachment[]> {
      await options.openAsCustomer(viewed)
      return listAttachments(db.executor, viewed.sessionId)
    },

    link: (attachmentId: string) => links.make(attachmentId),

    /** Throws not_found, also where the link is not, or no longer, one of ours. */
    async open(attachmentId: string, token: string): Promise<Attachment & { bytes: Buffer }> {
      const attachment = links.isValid(attachmentId, token) && (await findAttachment(db.executor, attachmentId))
      const bytes = attachment && (await readBytes(db.executor, attachment))
      if (!attachment || !bytes) throw new AppError('not_found', 'attachment', 'The link is wrong or has expired')
      return { ...attachment, bytes }
    },
  }
}

interface CheckedFile extends SentFile {
  mediaType: string
}

/** Throws invalid or unsupported_media. */
function checked({ name, bytes }: SentFile, maxPerSession: number): CheckedFile {
  if (maxPerSession === 0)
    throw new AppError('conflict', 'attachments', 'No files can be sent: ATTACHMENTS_PER_SESSION is 0')
  if (bytes.length === 0) throw new AppError('invalid', 'validation', 'file: is empty')
  const mediaType = mediaTypeOf(bytes)
  if (mediaType === null) {
    throw new AppError('unsupported_media', 'attachment', `file: its content must be one of ${MEDIA_TYPES.join(', ')}`)
  }
  return { name: plainName(name), bytes, mediaType }
}

/** The last part of a path, without what no file name should hold. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is left out
  const clean = last.replace(/[\u0000-\u001f\u007f<>:"|?*]/g, '').trim()
  return [...clean].slice(-MAX_NAME).join('') || 'file'
}

/** Text of the message, for wherever only that is shown. */
function contentOf(name: string): string {
  return `[${name}]`
}
