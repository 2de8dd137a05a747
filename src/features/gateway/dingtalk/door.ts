import { createHash } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Speaker } from '../../chat/index.ts'
import type { AnswerOnce } from '../answer-once.ts'
import { nativeId, speakerOf } from '../channel-customers.ts'
import { type ChannelMessage, type ChannelReply, type ConversationOptions, converse } from '../conversation.ts'
import { failedReply } from '../failed-reply.ts'
import type { Outbox } from '../outbox.ts'
import { saveAddress } from '../queries.ts'
import { assertKnownUse } from '../signature-use.ts'
import { type ChannelAddress, NATIVE_DOORS } from '../types.ts'
import { receiveDingtalkCallback } from './callback.ts'
import { type DingtalkMessage, dingtalkSessionKey } from './message.ts'
import type { ReplayCache } from './replay-cache.ts'
import type { DingtalkHeaders } from './signature.ts'

export interface DingtalkDoorOptions extends ConversationOptions {
  appSecret: string
  replays: ReplayCache
  once: AnswerOnce
  outbox: Pick<Outbox, 'enqueue'>
  /** How long a request waits for the answer before it is acknowledged. */
  budgetMs: number
  clock: Clock
  log: { warn(details: object, message: string): void }
}

export type DingtalkDoor = ReturnType<typeof createDingtalkDoor>

/** "Nothing to show": what is said goes to the session webhook. */
export const DINGTALK_ACKNOWLEDGEMENT = { msgtype: 'empty' } as const

const MAX_SESSION_ID = 200
/**
 * DingTalk signs the millisecond and nothing else, so customers who write in the same one have one signature. They arrive
 * together; whoever saw the signature comes later, or finds few places left.
 */
const MESSAGES_OF_A_MILLISECOND = 4
const ARRIVE_TOGETHER_MS = 10_000

/** DingTalk's callback: acknowledged once it is stored, answered at the session webhook, once for each message. */
export function createDingtalkDoor(options: DingtalkDoorOptions) {
  return {
    async receive(headers: DingtalkHeaders, body: Uint8Array): Promise<typeof DINGTALK_ACKNOWLEDGEMENT> {
      const { message, replayed } = receiveDingtalkCallback(options, headers, body)
      const sharing = mayShare(headers, options.clock.now()) ? MESSAGES_OF_A_MILLISECOND : 1
      await assertKnownUse(options.db, String(headers.sign), message, sharing).catch((error: unknown) => {
        if (!replayed) options.replays.release(message.messageId)
        throw error
      })
      if (replayed) return DINGTALK_ACKNOWLEDGEMENT
      const answer = answerOnce(options, message)
      // A failure gives the message back, so that DingTalk's next try is no replay.
      answer.catch((error: unknown) => {
        options.replays.release(message.messageId)
        options.log.warn({ err: error }, 'A DingTalk message could not be taken')
      })
      await Promise.race([answer, elapsed(options.budgetMs)])
      return DINGTALK_ACKNOWLEDGEMENT
    },
  }
}

function mayShare({ timestamp }: DingtalkHeaders, nowMs: number): boolean {
  return Math.abs(nowMs - Number(timestamp)) <= ARRIVE_TOGETHER_MS
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

async function answerOnce(options: DingtalkDoorOptions, message: DingtalkMessage): Promise<void> {
  const { messageId, content } = message
  const channelUserId = message.senderStaffId ?? message.senderId
  await options.once<ChannelReply>(
    { channel: NATIVE_DOORS.dingtalk, userId: nativeId('dingtalk', channelUserId), messageId },
    {
      pushes: true,
      run: async () => {
        const speaker = await speakerOf(options.db, 'dingtalk', channelUserId)
        const sessionId = sessionIdOf(message, speaker)
        await rememberAddress(options, message, sessionId)
        const incoming: ChannelMessage = { channel: 'dingtalk', ...speaker, sessionId, message: content }
        return converse(options, incoming).catch((error: unknown) => failedReply(options, incoming, error))
      },
      push: (trx, { session_id: sessionId, reply }) =>
        options.outbox.enqueue(trx, { messageId: `dingtalk:${messageId}`, sessionId, content: reply }),
    },
  )
}

/**
 * DingTalk's ids have no documented length; ours have. Somebody who was linked begins anew: what was said before was said
 * by somebody whom the shop did not know.
 */
function sessionIdOf(message: DingtalkMessage, { userId, door }: Speaker): string {
  const key = dingtalkSessionKey(message)
  if (door && key.length <= MAX_SESSION_ID) return key
  const named = door ? key : JSON.stringify([key, userId])
  return `dingtalk:${createHash('sha256').update(named).digest('hex')}`
}

/** A message without a webhook leaves the last one in place: it may still be valid. */
async function rememberAddress(
  { db }: DingtalkDoorOptions,
  message: DingtalkMessage,
  sessionId: string,
): Promise<void> {
  const { webhook, robotCode, conversationType, senderStaffId } = message
  if (!webhook) return
  const address: ChannelAddress = {
    channel: 'dingtalk',
    lane: `dingtalk:${robotCode}`,
    robotCode,
    webhook,
    atUserId: conversationType === 'group' ? senderStaffId : null,
  }
  await saveAddress(db.executor, sessionId, address)
}
