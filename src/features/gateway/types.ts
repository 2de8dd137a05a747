/** What names a message on its way in. */
export interface MessageKey {
  channel: string
  userId: string
  messageId: string
}

export interface MessageRow {
  state: 'processing' | 'done'
  result: unknown
  delivery: 'in_place' | 'pushed' | null
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

export interface Delivery {
  deliveryId: number
  sessionId: string
  channel: string
  lane: string
  content: string
  /** Counts from 1. */
  attempts: number
}
