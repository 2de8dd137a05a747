import { createHash } from 'node:crypto'
import type { Speaker } from '../../sessions/index.ts'
import { readCallbackBody } from '../callback-guard.ts'
import type { Channel, ChannelPorts, ReceivedMessage, Sender, Webhook } from '../channel.ts'
import { splitIntoMessages } from '../split-text.ts'
import { createDingtalkClient, DINGTALK_TEXT_BYTES, textReply } from './client.ts'
import { type DingtalkMessage, dingtalkSessionKey, parseDingtalkBody } from './message.ts'
import { assertDingtalkSignature } from './signature.ts'
import type { DingtalkWebhook } from './webhook.ts'

export interface DingtalkSettings {
  appSecret: string
  /** Origins that may stand in for DingTalk's own, for tests. */
  webhookOrigins: readonly string[]
}

/** Where a robot answers. */
interface DingtalkAddress {
  webhook: DingtalkWebhook
  /** Whom to notify in a group; null: it is no group. */
  atUserId: string | null
}

const MAX_SESSION_ID = 200
/**
 * DingTalk signs the millisecond and nothing else, so customers who write in the same one have one signature. They arrive
 * together; whoever saw the signature comes later, or finds few places left.
 */
const MESSAGES_OF_A_MILLISECOND = 4
const ARRIVE_TOGETHER_MS = 10_000

/** A robot: acknowledged once its message is stored, answered at the session webhook. */
export function createDingtalkChannel(settings: DingtalkSettings, ports: ChannelPorts): Channel {
  const isOff = settings.appSecret === ''
  return {
    name: 'dingtalk',
    language: 'zh',
    description: {
      summary: 'Messages of a DingTalk robot',
      description:
        'Authenticated by its signature, which serves one message within five minutes. 404 while ' +
        'DINGTALK_APP_SECRET is not set.',
      consumes: 'application/json',
      produces: 'application/json',
    },
    webhook: isOff ? null : createWebhook(settings, ports),
    sender: isOff ? null : createSender(settings, ports),
  }
}

function createWebhook({ appSecret }: DingtalkSettings, { clock }: ChannelPorts): Webhook {
  return {
    acknowledgement: JSON.stringify({ msgtype: 'empty' }),
    receive({ headers, body }): ReceivedMessage {
      assertDingtalkSignature(headers, appSecret, clock.now())
      const message = parseDingtalkBody(readCallbackBody(body))
      const arrivesAtOnce = Math.abs(clock.now() - Number(headers.timestamp)) <= ARRIVE_TOGETHER_MS
      return {
        messageId: message.messageId,
        customerId: message.senderStaffId ?? message.senderId,
        content: message.content,
        use: { signature: String(headers.sign), message, serves: arrivesAtOnce ? MESSAGES_OF_A_MILLISECOND : 1 },
        address: addressOf(message),
        sessionOf: (speaker) => sessionIdOf(message, speaker),
      }
    },
  }
}

/**
 * DingTalk's ids have no documented length; ours have. Somebody who was linked begins anew: what was said before was said
 * by somebody whom the shop did not know.
 */
function sessionIdOf(message: DingtalkMessage, { userId, platform }: Speaker): string {
  const key = dingtalkSessionKey(message)
  if (platform && key.length <= MAX_SESSION_ID) return key
  const named = platform ? key : JSON.stringify([key, userId])
  return `dingtalk:${createHash('sha256').update(named).digest('hex')}`
}

/** A message without a webhook leaves the last one in place: it may still be valid. */
function addressOf(message: DingtalkMessage): ReceivedMessage['address'] {
  const { webhook, robotCode, conversationType, senderStaffId } = message
  if (!webhook) return null
  const details: DingtalkAddress = { webhook, atUserId: conversationType === 'group' ? senderStaffId : null }
  return { orderingKey: `dingtalk:${robotCode}`, details }
}

function createSender({ webhookOrigins }: DingtalkSettings, { breakers, ...ports }: ChannelPorts): Sender {
  const client = createDingtalkClient({ ...ports, breaker: breakers.get('dingtalk'), extraOrigins: webhookOrigins })
  return {
    split: (text) => splitIntoMessages(text, DINGTALK_TEXT_BYTES),
    async send(details, text) {
      const { webhook, atUserId } = details as DingtalkAddress
      await client.reply(webhook, textReply(text, atUserId === null ? [] : [atUserId]))
    },
  }
}
