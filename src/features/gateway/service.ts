import type { Clock } from '../../platform/clock.ts'
import type { Channel } from '../chat/index.ts'
import { createAnswerOnce } from './answer-once.ts'
import type { ChannelSettings } from './channels.ts'
import { type ChannelReply, type ConversationOptions, converse } from './conversation.ts'
import { createDingtalkDoor, type DingtalkDoor } from './dingtalk/door.ts'
import { createReplayCache } from './dingtalk/replay-cache.ts'
import type { NeutralMessage } from './neutral-message.ts'
import type { Outbox } from './outbox.ts'
import { createWechatCallback } from './wechat/callback.ts'
import { createWechatDoor, type WechatDoor } from './wechat/door.ts'

export interface GatewayOptions extends ConversationOptions {
  settings: ChannelSettings
  outbox: Pick<Outbox, 'enqueue'>
  clock: Clock
  log: { warn(details: object, message: string): void }
}

export interface GatewayRequest {
  channel: Channel
  userId: string
  message: NeutralMessage
  /** Empty: nobody repeats this message. */
  messageId: string
  /** Empty: found by channel and user. */
  sessionId: string
}

export type Gateway = ReturnType<typeof createGateway>

/** Messages of all channels: through the neutral door, or at the callbacks of WeChat and DingTalk. */
export function createGateway(options: GatewayOptions) {
  const once = createAnswerOnce(options)
  const shared = { ...options, once, budgetMs: options.settings.replyBudgetMs }

  return {
    /** Throws conflict for a session of another user, unavailable while chat is. */
    async receive(request: GatewayRequest): Promise<ChannelReply & { duplicate: boolean }> {
      const { channel, userId, messageId } = request
      const run = (): Promise<ChannelReply> => converse(options, request)
      if (messageId === '') return { ...(await run()), duplicate: false }
      const key = { channel, userId, messageId }
      const { result, duplicate } = await once(key, { pushes: false, run, push: async () => {} })
      return { ...result, duplicate }
    },
    /** Null while the channel is not set up. */
    wechat: wechatDoor(options, shared),
    dingtalk: dingtalkDoor(options, shared),
  }
}

type Shared = Omit<GatewayOptions, 'settings'> & { once: ReturnType<typeof createAnswerOnce>; budgetMs: number }

function wechatDoor({ settings, clock }: GatewayOptions, shared: Shared): WechatDoor | null {
  const { token, appId, appSecret, encodingAesKey, requireEncryption } = settings.wechat
  if (token === '') return null
  const callback = createWechatCallback({
    token,
    appId: appId || undefined,
    encodingAesKey: encodingAesKey || undefined,
    requireEncryption,
    clock,
  })
  return createWechatDoor({ ...shared, callback, canPush: appId !== '' && appSecret !== '' })
}

function dingtalkDoor({ settings, clock }: GatewayOptions, shared: Shared): DingtalkDoor | null {
  const { appSecret } = settings.dingtalk
  return appSecret === '' ? null : createDingtalkDoor({ ...shared, appSecret, replays: createReplayCache({ clock }) })
}
