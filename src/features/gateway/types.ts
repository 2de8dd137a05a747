import type { NativeChannel } from '../chat/index.ts'

export type { NativeChannel }

/** The platforms' own callbacks, by names that are no channel's: whoever has the key cannot ask for their answers. */
export const NATIVE_DOORS = { wechat: 'wechat callback', dingtalk: 'dingtalk callback' } as const

/** What names a message on its way in. */
export interface MessageKey {
  /** Or the callback that it came by. */
  channel: string
  userId: string
  messageId: string
}

export interface MessageRow {
  state: 'processing' | 'done'
  result: unknown
  delivery: 'in_place' | 'pushed' | null
}

/** Who a customer of a platform is in the shop. */
export interface Link {
  channel: NativeChannel
  channelUserId: string
  userId: string
  createdAt: Date
}

/** Where a customer is reached outside a request. Texts of one lane follow each other. */
export type ChannelAddress =
  | { channel: 'wechat'; lane: string; openId: string }
  | {
      channel: 'dingtalk'
      lane: string
      robotCode: string
      webhook: { url: string; expiresAtMs: number }
      /** Whom to notify in a group; null: it is no group. */
      atUserId: string | null
    }

/** What became of a message that goes out by itself, all its parts together. */
export interface DeliveryState {
  state: 'waiting' | 'sent' | 'failed'
  /** Code of the latest failure; null: none. */
  error: string | null
}

/** A message that will not reach its customer. */
export interface LostDelivery {
  channel: ChannelAddress['channel']
  sessionId: string
  attempts: number
  code: string
  /** The platform did not take it in time; otherwise the platform said why this message cannot be taken. */
  isPlatformsFault: boolean
}

export interface Delivery {
  deliveryId: number
  messageId: string
  sessionId: string
  channel: ChannelAddress['channel']
  lane: string
  content: string
  /** Counts from 1. */
  attempts: number
}
