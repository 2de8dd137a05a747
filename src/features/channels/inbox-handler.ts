import { AppError } from '../../kernel/errors.ts'
import { callbackOf, ensureSession } from '../sessions/index.ts'
import type { Channel, FetchedMessage, InboxHandler } from './channel.ts'
import { type ChannelReply, type ConversationOptions, converse } from './conversation.ts'
import type { Deduplicate, MessageKey } from './deduplicate.ts'
import { nativeId, speakerOf } from './links.ts'
import type { Outbox } from './outbox.ts'
import { channelPhrases } from './phrases.ts'
import { saveAddress } from './queries.ts'

export interface InboxHandlerOptions extends ConversationOptions {
  deduplicate: Deduplicate
  outbox: Pick<Outbox, 'enqueue' | 'undeliverable'>
  /** Stores a file of a platform's customer as a message. Throws as uploads are refused. */
  attach(sessionId: string, file: { name: string; bytes: Uint8Array }): Promise<void>
}

/** Messages that a channel fetches: each is answered once, and the answer goes out by itself. */
export function createInboxHandler(channel: Channel, options: InboxHandlerOptions): InboxHandler {
  const { deduplicate, outbox } = options
  return {
    async take(message) {
      const { customerId, messageId } = message
      const key: MessageKey = {
        channel: callbackOf(channel.name),
        userId: nativeId(channel.name, customerId),
        messageId,
      }
      await deduplicate<ChannelReply>(key, {
        pushes: true,
        run: () => answer(channel, options, message),
        async push(trx, { session_id: sessionId, reply }) {
          if (reply !== '')
            await outbox.enqueue(trx, { messageId: `${channel.name}:${messageId}`, sessionId, content: reply })
        },
      })
    },
    undeliverable: outbox.undeliverable,
  }
}

/** The reply is empty where nothing is to be sent. */
async function answer({ name }: Channel, options: InboxHandlerOptions, message: FetchedMessage): Promise<ChannelReply> {
  const { db } = options
  const { customerId, sessionId, content, address, callsPerson, answers } = message
  const speaker = await speakerOf(db, name, customerId)
  const session = { sessionId, userId: speaker.userId, channel: name, origin: speaker.platform ?? ('given' as const) }
  await ensureSession(db.executor, session)
  await saveAddress(db.executor, sessionId, { channel: name, ...address })
  const before = await options.handoff.find(sessionId)
  const isAtDesk = before?.agentStatus === 'pending' || before?.agentStatus === 'assigned'
  const left = await attachAll(options, message)
  const words = left === '' ? content : { ...content, text: `${content.text ?? ''}\n\n${left}`.trim() }
  const incoming = { channel: name, ...speaker, sessionId, message: words, callsPerson: callsPerson || !answers }
  const reply = await converse(options, incoming)
  // A person who has the conversation answers; who waits for one was told so with the first message.
  const isSilent = reply.data.message_id === '' || (callsPerson && isAtDesk)
  return answers && !isSilent ? reply : { ...reply, reply: '' }
}

/** Files of a message, in its order; the returned words name those that were not taken. */
async function attachAll(
  { attach, languageOf }: InboxHandlerOptions,
  { sessionId, files, isCut, content }: FetchedMessage,
): Promise<string> {
  const left: string[] = []
  for (const file of isCut ? [] : files) {
    await attach(sessionId, file).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error
      left.push(file.name)
    })
  }
  const phrases = channelPhrases(languageOf(content.text ?? ''))
  if (isCut) return phrases.tooLarge
  return left.length === 0 ? '' : `${phrases.notTaken}: ${left.join(', ')}`
}
