import { AppError } from '../../../kernel/errors.ts'
import type { Breaker } from '../../../platform/breaker.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Fetch, postToPlatform } from '../platform-call.ts'
import type { DingtalkWebhook } from './message.ts'
import type { DingtalkReply } from './reply.ts'
import type { SendQueue } from './send-queue.ts'
import { checkedWebhookUrl } from './webhook.ts'

export type DingtalkClientOptions = {
  fetch: Fetch
  breaker: Pick<Breaker, 'run'>
  queue: SendQueue
  clock: Clock
  /** Origins that may stand in for DingTalk's own, for tests. */
  extraOrigins?: readonly string[]
  timeoutMs?: number
}

/** Answers at session webhooks. */
export type DingtalkClient = {
  /**
   * Sends one reply. Throws `invalid` or `unavailable` for a webhook that must not or can no longer be used (checked again
   * when its turn comes), `too_many` when the robot is over its limit, `unavailable` when DingTalk fails or refuses.
   */
  reply(robotCode: string, webhook: DingtalkWebhook, reply: DingtalkReply): Promise<void>
}

/** Both mean "more than 20 a minute": the webhook's own code and the open platform's. */
const TOO_FAST = new Set([130101, 410100])

const DEFAULT_TIMEOUT_MS = 5000

export function createDingtalkClient(options: DingtalkClientOptions): DingtalkClient {
  const checked = (webhook: DingtalkWebhook) => checkedWebhookUrl(webhook, options.clock.now(), options.extraOrigins)

  async function send(webhook: DingtalkWebhook, body: DingtalkReply): Promise<void> {
    const url = checked(webhook)
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const { errcode, errmsg } = await options.breaker.run(() =>
      postToPlatform(options.fetch, { platform: 'DingTalk', url, body, timeoutMs }),
    )
    if (errcode !== 0) throw refused(errcode, errmsg)
  }

  return {
    async reply(robotCode, webhook, body) {
      checked(webhook)
      await options.queue.run(robotCode, () => send(webhook, body))
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
