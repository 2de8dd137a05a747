import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { callbackOf, sessionOfCustomer } from '../sessions/index.ts'
import type { Channel, ReceivedMessage, SignatureUse, Webhook, WebhookRequest } from './channel.ts'
import { type ChannelReply, type ConversationOptions, converse, failedReply } from './conversation.ts'
import type { Deduplicate, MessageKey } from './deduplicate.ts'
import { nativeId, speakerOf } from './links.ts'
import type { Outbox } from './outbox.ts'
import { claimSignature, saveAddress, settleDelivery } from './queries.ts'
import { splitTextByBytes } from './split-text.ts'

export interface WebhookOptions extends ConversationOptions {
  deduplicate: Deduplicate
  outbox: Pick<Outbox, 'enqueue'>
  /** How long a request waits for the answer, when it can be sent later. */
  budgetMs: number
  log: Log
}

type InPlace = NonNullable<ReceivedMessage['inPlace']>

/**
 * A platform's callback. The answer is given in place where the platform waits for it and does not wait too long, and goes
 * out by itself otherwise. Platforms give up after some seconds and try again; however the tries and the answer fall
 * together, the customer gets the answer once.
 */
export function createWebhookHandler(channel: Channel, webhook: Webhook, options: WebhookOptions) {
  const { db, log, budgetMs } = options
  const waiting = new Map<string, number>()

  return {
    /** The response's body. Gives up waiting when `signal` says that nobody waits for it. */
    async receive(request: WebhookRequest, signal: AbortSignal): Promise<string> {
      const received = webhook.receive(request)
      await assertKnownUse(db, received.use)
      const { inPlace } = received
      const key = keyOf(channel, received)
      // The first try hears whether the message was taken; each further one that had to wait would bring one more.
      if (!inPlace && waiting.has(key.messageId)) return webhook.acknowledgement
      const leave = enter(waiting, key.messageId)
      const answer = answerOnce(options, channel, key, received)
      answer
        .catch((error: unknown) => log.warn({ err: error }, 'A message of a channel could not be answered'))
        .finally(inPlace ? undefined : leave)
      const first = firstOf(answer, channel.sender ? budgetMs : null, signal)
      if (inPlace)
        return (await inPlaceOrLater(key, await first.finally(leave), answer, inPlace)) ?? webhook.acknowledgement
      await first
      return webhook.acknowledgement
    },

    /** The answer to the check of the address. */
    async check(query: WebhookRequest['query']): Promise<string> {
      const { text = '', signature } = webhook.check?.(query) ?? {}
      // A signature that was seen here must not serve for messages.
      if (signature) await assertKnownUse(db, signature)
      return text
    },
  }

  /** The body of a response that holds the answer; undefined: it goes out by itself, or another try brings it. */
  async function inPlaceOrLater(
    key: MessageKey,
    first: Awaited<ReturnType<typeof firstOf>>,
    answer: Promise<ChannelReply>,
    inPlace: InPlace,
  ) {
    if (first === 'gone') return pushUnlessAwaited(answer, key)
    return first === 'late' ? push(key) : place(key, first, inPlace)
  }

  /** The platform asks again soon; if it does not, the answer goes out by itself. */
  function pushUnlessAwaited(answer: Promise<ChannelReply>, key: MessageKey): void {
    if (!channel.sender) return
    answer
      .then(() => (waiting.has(key.messageId) ? undefined : push(key)))
      .catch((error: unknown) => log.warn({ err: error }, 'An answer that nobody waited for was lost'))
  }

  /** The answer goes out by itself: now when it is there, else when it is finished. */
  async function push(key: MessageKey): Promise<void> {
    await db.transaction(async (trx) => {
      const row = await settleDelivery(trx, key, 'pushed')
      if (row?.state === 'done') await options.outbox.enqueue(trx, toPush(channel, key, row.result as ChannelReply))
    })
  }

  /** The body of a response that holds the answer; undefined: it goes out by itself. */
  async function place(key: MessageKey, { reply }: ChannelReply, { maxBytes, write }: InPlace) {
    const [text = '', ...rest] = splitTextByBytes(reply, maxBytes)
    if (rest.length > 0 && channel.sender) return push(key)
    return (await settleDelivery(db.executor, key, 'in_place')) && write(text)
  }
}

function keyOf({ name }: Channel, { customerId, messageId }: ReceivedMessage): MessageKey {
  return { channel: callbackOf(name), userId: nativeId(name, customerId), messageId }
}

/** Counts the requests that wait for one message's answer; where none is given in place, the first stays until it is made. */
function enter(waiting: Map<string, number>, name: string): () => void {
  waiting.set(name, (waiting.get(name) ?? 0) + 1)
  return () => {
    const left = (waiting.get(name) ?? 1) - 1
    if (left > 0) waiting.set(name, left)
    else waiting.delete(name)
  }
}

/** The answer to a message, made once; where the platform takes none in place, it goes out by itself. */
async function answerOnce(
  options: WebhookOptions,
  channel: Channel,
  key: MessageKey,
  { customerId, content, address, sessionOf, inPlace }: ReceivedMessage,
): Promise<ChannelReply> {
  const { db } = options
  const { name } = channel
  const { result } = await options.deduplicate<ChannelReply>(key, {
    pushes: inPlace === undefined,
    run: async () => {
      const speaker = await speakerOf(db, name, customerId)
      const sessionId = sessionOf?.(speaker) ?? (await sessionOfCustomer(db, name, speaker))
      if (address) await saveAddress(db.executor, sessionId, { channel: name, ...address })
      const incoming = { channel: name, ...speaker, sessionId, message: content }
      return converse(options, incoming).catch((error: unknown) => failedReply(options, incoming, error))
    },
    push: (trx, reply) => options.outbox.enqueue(trx, toPush(channel, key, reply)),
  })
  return result
}

function toPush({ name }: Channel, { messageId }: MessageKey, { session_id: sessionId, reply }: ChannelReply) {
  return { messageId: `${name}:${messageId}`, sessionId, content: reply }
}

/** The answer, or why it is not waited for any longer: it takes too long, or whoever asked has gone. */
async function firstOf(
  answer: Promise<ChannelReply>,
  budgetMs: number | null,
  signal: AbortSignal,
): Promise<ChannelReply | 'late' | 'gone'> {
  const { promise, resolve } = Promise.withResolvers<'late' | 'gone'>()
  const timer = budgetMs === null ? undefined : setTimeout(() => resolve('late'), budgetMs)
  const leave = (): void => resolve('gone')
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

/**
 * Lets a signature serve one message and its repeats, on whichever replicas: where it does not cover the body, whoever saw
 * one could else send any body with it. The platforms repeat a message with the same parameters or sign it anew.
 * Throws `unauthorized` (`replayed_signature`).
 */
async function assertKnownUse(db: Database, { signature, message, serves = 1 }: SignatureUse): Promise<void> {
  const name = digest(JSON.stringify(message))
  for (let place = 0; place < serves; place++) {
    const key = place === 0 ? signature : `${signature} ${place}`
    if ((await claimSignature(db.executor, digest(key), name)) === name) return
  }
  throw new AppError('unauthorized', 'replayed_signature', 'signature: was used for another message')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
