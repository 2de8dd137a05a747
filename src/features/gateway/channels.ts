import type { Breaker } from '../../platform/breaker.ts'
import type { Clock } from '../../platform/clock.ts'
import { createDingtalkClient } from './dingtalk/client.ts'
import { DINGTALK_TEXT_BYTES, textReply } from './dingtalk/reply.ts'
import { createSendQueue } from './dingtalk/send-queue.ts'
import type { OutboxOptions, Sender } from './outbox.ts'
import type { Fetch } from './platform-call.ts'
import { splitTextByBytes } from './split-text.ts'
import { createWechatClient, WECHAT_TEXT_BYTES } from './wechat/client.ts'

/** Settings of the channels; an empty secret means that the channel is off. */
export interface ChannelSettings {
  wechat: {
    token: string
    appId: string
    appSecret: string
    encodingAesKey: string
    requireEncryption: boolean
    apiBaseUrl: string
  }
  dingtalk: { appSecret: string; webhookOrigins: readonly string[] }
  /** How long a callback waits for the answer. */
  replyBudgetMs: number
}

export interface ChannelPorts {
  breakers: { get(name: string): Pick<Breaker, 'run'> }
  clock: Clock
  fetch: Fetch
  sleep: (ms: number) => Promise<void>
}

/** Senders of the channels that are set up. */
export function createSenders(settings: ChannelSettings, ports: ChannelPorts): OutboxOptions['senders'] {
  const { wechat, dingtalk } = settings
  return {
    ...(wechat.token !== '' && wechat.appId !== '' && wechat.appSecret !== ''
      ? { wechat: wechatSender(wechat, ports) }
      : {}),
    ...(dingtalk.appSecret === '' ? {} : { dingtalk: dingtalkSender(dingtalk.webhookOrigins, ports) }),
  }
}

function wechatSender({ appId, appSecret, apiBaseUrl }: ChannelSettings['wechat'], ports: ChannelPorts): Sender {
  const { fetch, clock, breakers } = ports
  const client = createWechatClient({ appId, appSecret, apiBaseUrl, fetch, clock, breaker: breakers.get('wechat') })
  return {
    split: (text) => parts(text, WECHAT_TEXT_BYTES),
    async send(address, text) {
      if (address.channel === 'wechat') await client.pushText(address.openId, text)
    },
  }
}

function dingtalkSender(extraOrigins: readonly string[], ports: ChannelPorts): Sender {
  const { fetch, clock, sleep, breakers } = ports
  const queue = createSendQueue({ clock, sleep })
  const client = createDingtalkClient({ fetch, clock, queue, extraOrigins, breaker: breakers.get('dingtalk') })
  return {
    split: (text) => parts(text, DINGTALK_TEXT_BYTES),
    async send(address, text) {
      if (address.channel !== 'dingtalk') return
      const { robotCode, webhook, atUserId } = address
      await client.reply(robotCode, webhook, textReply(text, atUserId === null ? [] : [atUserId]))
    },
  }
}

function parts(text: string, maxBytes: number): string[] {
  return splitTextByBytes(text, maxBytes).filter((part) => part.trim() !== '')
}
