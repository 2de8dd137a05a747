import type { Clock } from '../../../platform/clock.ts'
import { readCallbackBody } from '../callback-guard.ts'
import { type DingtalkMessage, parseDingtalkBody } from './message.ts'
import type { ReplayCache } from './replay-cache.ts'
import { assertDingtalkSignature, type DingtalkHeaders } from './signature.ts'

/** A callback that verified. `replayed` is true for a message id seen before: acknowledge it and do nothing. */
export type ReceivedDingtalkMessage = { message: DingtalkMessage; replayed: boolean }

/**
 * Verifies and reads one robot callback without any transport; the body is parsed after the signature holds. Throws
 * `unauthorized`, `too_large` or `invalid`.
 */
export function receiveDingtalkCallback(
  options: { appSecret: string; replays: ReplayCache; clock: Clock },
  headers: DingtalkHeaders,
  body: string | Uint8Array,
): ReceivedDingtalkMessage {
  assertDingtalkSignature(headers, options.appSecret, options.clock.now())
  const message = parseDingtalkBody(readCallbackBody(body))
  return { message, replayed: !options.replays.claim(message.messageId) }
}
