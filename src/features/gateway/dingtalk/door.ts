import { createHash } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { AnswerOnce } from '../answer-once.ts'
import { type ChannelMessage, type ChannelReply, type ConversationOptions, converse } from '../conversation.ts'
import { failedReply } from '../failed-reply.ts'
import type { Outbox } from '../outbox.ts'
import { saveAddress } from '../queries.ts'
import type { ChannelAddress } from '../types.ts'
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

/** DingTalk's callback: acknowledged once it is stored, answered at the session webhook, once for each message. */
export function createDingtalkDoor(options: DingtalkDoorOptions) {
  return {
    async receive(headers: DingtalkHeaders, body: Uint8Array): Promise<typeof DINGTALK_ACKNOWLEDGEMENT> {
      const { message, replayed } = receiveDingtalkCallback(options, headers, body)
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

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

async function answerOnce(options: DingtalkDoorOptions, message: DingtalkMessage): Promise<void> {
  const { messageId, content } = message
  const userId = message.senderStaffId ?? message.senderId
  const incoming: ChannelMessage = { channel: 'dingtalk', userId, sessionId: sessionIdOf(message), message: content }
  await options.once<ChannelReply>(
    { channel: 'dingtalk', userId, messageId },
    {
      pushes: true,
      run: async () => {
        await rememberAddress(options, message)
        return converse(options, incoming).catch((error: unknown) => failedReply(options, incoming, error))
      },
      push: (trx, { session_id: sessionId, reply }) =>
        options.outbox.enqueue(trx, { messageId: `dingtalk:${messageId}`, sessionId, content: reply }),
    },
  )
}

/** DingTalk's ids have no documented length; ours have. */
function sessionIdOf(message: DingtalkMessage): string {
  const key = dingtalkSessionKey(message)
  return key.length <= MAX_SESSION_ID ? key : `dingtalk:${createHash('sha256').update(key).digest('hex')}`
}

/** A message without a webhook leaves the last one in place: it may still be valid. */
async function rememberAddress({ db }: DingtalkDoorOptions, message: DingtalkMessage): Promise<void> {
  const { webhook, robotCode, conversationType, senderStaffId } = message
  if (!webhook) return
  const address: ChannelAddress = {
    channel: 'dingtalk',
    lane: `dingtalk:${robotCode}`,
    robotCode,
    webhook,
    atUserId: conversationType === 'group' ? senderStaffId : null,
  }
  await saveAddress(db.executor, sessionIdOf(message), address)
}
