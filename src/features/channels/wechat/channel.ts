import type { Channel, ChannelPorts, Sender, Webhook } from '../channel.ts'
import { splitIntoMessages } from '../split-text.ts'
import { createWechatCallback } from './callback.ts'
import { createWechatClient, WECHAT_TEXT_BYTES } from './client.ts'
import { WECHAT_ACKNOWLEDGEMENT } from './reply.ts'

export interface WechatSettings {
  token: string
  appId: string
  appSecret: string
  encodingAesKey: string
  requireEncryption: boolean
  apiBaseUrl: string
}

/** An official account: answers in place while WeChat waits, and later through its message API where that is set up. */
export function createWechatChannel(settings: WechatSettings, ports: ChannelPorts): Channel {
  const { token, appId, appSecret } = settings
  return {
    name: 'wechat',
    language: 'zh',
    description: {
      summary: "WeChat's messages and events",
      description:
        'XML, authenticated by its signature, which serves one message within five minutes. Plain, or with ' +
        'WECHAT_ENCODING_AES_KEY encrypted and nothing else. 404 while WECHAT_TOKEN is not set.',
      consumes: 'text/xml',
      produces: 'text/xml',
      check: {
        summary: "WeChat's check of the callback address",
        description: 'Authenticated by its signature. 404 while WECHAT_TOKEN is not set.',
      },
      query: ['signature', 'timestamp', 'nonce', 'echostr', 'encrypt_type', 'msg_signature'],
    },
    webhook: token === '' ? null : createWebhook(settings, ports),
    sender: token === '' || appId === '' || appSecret === '' ? null : createSender(settings, ports),
  }
}

function createWebhook(settings: WechatSettings, { clock }: ChannelPorts): Webhook {
  const callback = createWechatCallback({ ...settings, clock })
  return {
    acknowledgement: WECHAT_ACKNOWLEDGEMENT,
    receive({ query, body }) {
      const received = callback.receive(query, body)
      const { signature, message } = received
      const { fromUser: openId, dedupeKey: messageId, content } = message
      return {
        messageId,
        customerId: openId,
        content,
        use: { signature, message },
        address: { orderingKey: `wechat:${openId}`, details: { openId } },
        inPlace: { maxBytes: WECHAT_TEXT_BYTES, write: (text) => callback.reply(received, text) },
      }
    },
    check(query) {
      const echo = callback.answerUrlCheck(query)
      const signature = String(query.signature ?? query.msg_signature)
      return { text: echo, signature: { signature, message: { echo } } }
    },
  }
}

function createSender(settings: WechatSettings, { breakers, ...ports }: ChannelPorts): Sender {
  const client = createWechatClient({ ...settings, ...ports, breaker: breakers.get('wechat') })
  return {
    split: (text) => splitIntoMessages(text, WECHAT_TEXT_BYTES),
    async send(details, text) {
      const { openId } = details as { openId: string }
      await client.pushText(openId, text)
    },
  }
}
