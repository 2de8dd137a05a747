import { AppError } from '../../../kernel/errors.ts'

/** Where to answer. The URL comes from the request: it is to be checked before it is called. */
export type DingtalkWebhook = { url: string; expiresAtMs: number }

/** The host that DingTalk hands out in `sessionWebhook`. */
const DINGTALK_ORIGIN = 'https://oapi.dingtalk.com'

/**
 * The webhook's URL, once it is certain that answering there answers DingTalk: the URL comes from the request, whose body no
 * signature covers, so anything else would let a caller aim our requests. `extraOrigins` (such as
 * `http://127.0.0.1:4000`) exists for tests. Throws `invalid` (`dingtalk_webhook_host`) for another origin or a URL with
 * credentials, and `unavailable` (`dingtalk_webhook_expired`) once the platform would no longer take the answer.
 */
export function checkedWebhookUrl(
  webhook: DingtalkWebhook,
  nowMs: number,
  extraOrigins: readonly string[] = [],
): string {
  const url = URL.canParse(webhook.url) ? new URL(webhook.url) : null
  const isAllowed = url !== null && [DINGTALK_ORIGIN, ...extraOrigins].includes(url.origin)
  if (!isAllowed || url.username !== '' || url.password !== '') {
    throw new AppError('invalid', 'dingtalk_webhook_host', 'sessionWebhook: is not an address of DingTalk')
  }
  if (nowMs >= webhook.expiresAtMs) {
    throw new AppError('unavailable', 'dingtalk_webhook_expired', 'sessionWebhook: has expired')
  }
  return url.href
}
