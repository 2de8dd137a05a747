import { AppError } from '../../../kernel/errors.ts'
import type { Breaker } from '../../../platform/breaker.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Fetch, postToPlatform } from '../platform-call.ts'
import { checkedWebhookUrl, type DingtalkWebhook } from './webhook.ts'

/** DingTalk refuses bodies over 20,000 bytes (460101); the rest is room for JSON escapes and the fields around the text. */
export const DINGTALK_TEXT_BYTES = 8000

/** The body that a session webhook is sent. Source: https://open.dingtalk.com/document/orgapp/robot-message-types */
export type DingtalkReply = { msgtype: 'text'; text: { content: string }; at: { atUserIds: string[]; isAtAll: false } }

/** Plain text; `atUserIds` are staff ids to notify in a group. */
export function textReply(content: string, atUserIds: readonly string[] = []): DingtalkReply {
  return { msgtype: 'text', text: { content }, at: { atUserIds: [...atUserIds], isAtAll: false } }
}

export type DingtalkClientOptions = {
  fetch: Fetch
  breaker: Pick<Breaker, 'run'>
  clock: Clock
  /** Origins that may stand in for DingTalk's own, for tests. */
  extraOrigins?: readonly string[]
  timeoutMs?: number
}

/** Both mean "more than 20 a minute": the webhook's own code and the open platform's. */
const TOO_FAST = new Set([130101, 410100])

const DEFAULT_TIMEOUT_MS = 5000

/** Answers at session webhooks. DingTalk takes 20 messages a minute of one robot, which the outbox keeps to. */
export function createDingtalkClient(options: DingtalkClientOptions) {
  const { fetch, breaker, clock, extraOrigins, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  return {
    /**
     * Sends one reply. Throws `invalid` or `unavailable` for a webhook that must not or can no longer be used, `too_many`
     * when the robot is over its limit, `unavailable` when DingTalk fails or refuses.
     */
    async reply(webhook: DingtalkWebhook, body: DingtalkReply): Promise<void> {
      const url = checkedWebhookUrl(webhook, clock.now(), extraOrigins)
      const call = { platform: 'DingTalk', url, body, timeoutMs }
      const { errcode, errmsg } = await breaker.run(() => postToPlatform(fetch, call))
      if (errcode !== 0) throw refused(errcode, errmsg)
    },
  }
}

function refused(errcode: number, errmsg: string): AppError {
  const cause = new Error(`errcode ${errcode}: ${errmsg}`)
  if (!TOO_FAST.has(errcode)) {
    return new AppError('unavailable', 'dingtalk_refused', `DingTalk refused the message (${errcode})`, { cause })
  }
  const retry = { cause, retryAfterSeconds: 600 }
  return new AppError('too_many', 'dingtalk_rate_limited', 'DingTalk takes no more messages for now', retry)
}
