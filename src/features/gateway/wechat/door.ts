import { sessionOfCustomer } from '../../chat/index.ts'
import type { AnswerOnce } from '../answer-once.ts'
import { nativeId, speakerOf } from '../channel-customers.ts'
import { type ChannelMessage, type ChannelReply, type ConversationOptions, converse } from '../conversation.ts'
import { failedReply } from '../failed-reply.ts'
import type { Outbox } from '../outbox.ts'
import { saveAddress, settleDelivery } from '../queries.ts'
import { assertKnownUse } from '../signature-use.ts'
import { splitTextByBytes } from '../split-text.ts'
import { type MessageKey, NATIVE_DOORS } from '../types.ts'
import type { ReceivedWechatMessage, WechatCallback, WechatQuery } from './callback.ts'
import { WECHAT_TEXT_BYTES } from './client.ts'
import { neutralWechatMessage } from './message.ts'
import { WECHAT_ACKNOWLEDGEMENT } from './reply.ts'

export interface WechatDoorOptions extends ConversationOptions {
  callback: WechatCallback
  once: AnswerOnce
  outbox: Pick<Outbox, 'enqueue'>
  /** Can anything be sent outside a request? */
  canPush: boolean
  /** How long a request waits for the answer, when it can be sent later. */
  budgetMs: number
  log: { warn(details: object, message: string): void }
}

export type WechatDoor = ReturnType<typeof createWechatDoor>

/**
 * WeChat's callback: answers in place while WeChat waits, later by itself. WeChat gives up after 5 s and tries three
 * times in all; however the tries and the answer fall together, the customer gets the answer once.
 */
export function createWechatDoor(options: WechatDoorOptions) {
  const waiting = new Map<string, number>()

  async function receive(query: WechatQuery, body: Uint8Array, signal: AbortSignal): Promise<string> {
    const received = options.callback.receive(query, body)
    await assertKnownUse(options.db, received.signature, received.message)
    const { fromUser, dedupeKey: messageId } = received.message
    const key: MessageKey = { channel: NATIVE_DOORS.wechat, userId: nativeId('wechat', fromUser), messageId }
    const leave = enter(waiting, messageId)
    const answer = answerOnce(options, key, received)
    const first = await firstOf(answer, options.canPush ? options.budgetMs : null, signal).finally(leave)
    if (first === 'late') {
      await requestPush(options, key)
      return WECHAT_ACKNOWLEDGEMENT
    }
    if (first === 'gone') {
      pushUnlessAwaited(options, key, answer, () => waiting.has(messageId))
      return WECHAT_ACKNOWLEDGEMENT
    }
    return inPlace(options, key, received, first)
  }

  return {
    async answerUrlCheck(query: WechatQuery): Promise<string> {
      const echo = options.callback.answerUrlCheck(query)
      // A signature that was seen here must not serve for messages.
      await assertKnownUse(options.db, String(query.signature ?? query.msg_signature), { echo })
      return echo
    },
    receive,
  }
}

/** Counts the requests that wait for one message. */
function enter(waiting: Map<string, number>, name: string): () => void {
  waiting.set(name, (waiting.get(name) ?? 0) + 1)
  return () => {
    const left = (waiting.get(name) ?? 1) - 1
    if (left > 0) waiting.set(name, left)
    else waiting.delete(name)
  }
}

async function answerOnce(
  options: WechatDoorOptions,
  key: MessageKey,
  { message }: ReceivedWechatMessage,
): Promise<ChannelReply> {
  const { result } = await options.once<ChannelReply>(key, {
    pushes: false,
    run: async () => {
      const openId = message.fromUser
      const speaker = await speakerOf(options.db, 'wechat', openId)
      const sessionId = await sessionOfCustomer(options.db, 'wechat', speaker)
      const address = { channel: 'wechat', lane: `wechat:${openId}`, openId } as const
      await saveAddress(options.db.executor, sessionId, address)
      const incoming: ChannelMessage = {
        channel: 'wechat',
        ...speaker,
        sessionId,
        message: neutralWechatMessage(message.content),
      }
      return converse(options, incoming).catch((error: unknown) => failedReply(options, incoming, error))
    },
    push: (trx, reply) => options.outbox.enqueue(trx, toPush(key, reply)),
  })
  return result
}

function toPush({ messageId }: MessageKey, { session_id: sessionId, reply }: ChannelReply) {
  return { messageId, sessionId, content: reply }
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

/** The answer will go out by itself: now when it is there, else when it is finished. */
async function requestPush({ db, outbox }: WechatDoorOptions, key: MessageKey): Promise<void> {
  await db.transaction(async (trx) => {
    const row = await settleDelivery(trx, key, 'pushed')
    if (row?.state === 'done') await outbox.enqueue(trx, toPush(key, row.result as ChannelReply))
  })
}

/** Whoever asked has gone without an answer. WeChat asks again soon; if it does not, the answer goes out by itself. */
function pushUnlessAwaited(
  options: WechatDoorOptions,
  key: MessageKey,
  answer: Promise<ChannelReply>,
  isAwaited: () => boolean,
): void {
  if (!options.canPush) return
  answer
    .then(() => (isAwaited() ? undefined : requestPush(options, key)))
    .catch((error: unknown) => options.log.warn({ err: error }, 'An answer that nobody waited for was lost'))
}

async function inPlace(
  options: WechatDoorOptions,
  key: MessageKey,
  received: ReceivedWechatMessage,
  { reply }: ChannelReply,
): Promise<string> {
  const [text = '', ...rest] = splitTextByBytes(reply, WECHAT_TEXT_BYTES)
  if (rest.length > 0 && options.canPush) {
    await requestPush(options, key)
    return WECHAT_ACKNOWLEDGEMENT
  }
  const settled = await settleDelivery(options.db.executor, key, 'in_place')
  return settled ? options.callback.reply(received, text) : WECHAT_ACKNOWLEDGEMENT
}
