import { AppError, type ErrorKind } from '../../../kernel/errors.ts'
import type { Breaker } from '../../../platform/breaker.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Fetch, type PlatformAnswer, postToPlatform } from '../platform-call.ts'
import { splitIntoMessages } from '../split-text.ts'
import { createAccessToken, type IssuedToken } from './access-token.ts'

/** Longest text of one message, in bytes of UTF-8; beyond it WeChat answers 45002. */
export const WECHAT_TEXT_BYTES = 2048

export type WechatClientOptions = {
  appId: string
  appSecret: string
  fetch: Fetch
  breaker: Pick<Breaker, 'run'>
  clock: Clock
  /** Without a trailing slash; tests name a loopback address. */
  apiBaseUrl?: string
  timeoutMs?: number
}

type Refusal = { kind: ErrorKind; code: string; message: string; retryAfterSeconds?: number }

const NO_CREDENTIAL: Refusal = {
  kind: 'unavailable',
  code: 'wechat_credentials',
  message: 'WeChat refused the app id, the app secret or the address of this server',
}
const TOO_FAST: Refusal = {
  kind: 'too_many',
  code: 'wechat_rate_limited',
  message: 'WeChat accepts no more messages for now',
  retryAfterSeconds: 60,
}

/** Answers that say the message or the account is at fault, not the platform: they do not count against the breaker. */
export const REFUSALS: ReadonlyMap<number, Refusal> = new Map([
  [40003, { kind: 'invalid', code: 'wechat_open_id', message: 'WeChat does not know this customer' }],
  [40013, NO_CREDENTIAL],
  [40125, NO_CREDENTIAL],
  [40164, NO_CREDENTIAL],
  [43004, { kind: 'conflict', code: 'wechat_unsubscribed', message: 'The customer no longer follows the account' }],
  [45002, { kind: 'too_large', code: 'wechat_text_too_long', message: 'WeChat found the message too long' }],
  [45009, TOO_FAST],
  [45011, TOO_FAST],
  [45015, { kind: 'conflict', code: 'wechat_window_closed', message: 'The customer has not written for 48 hours' }],
  [45047, { kind: 'conflict', code: 'wechat_quota_used', message: 'The customer must write before more can be sent' }],
  [48001, { kind: 'unavailable', code: 'wechat_permission', message: 'The account may not send service messages' }],
])

/** The token was replaced or ran out before its time; a new one settles it. */
const STALE_TOKEN = new Set([40001, 40014, 42001])

const DEFAULT_API = 'https://api.weixin.qq.com'
const DEFAULT_TIMEOUT_MS = 5000

/** The customer-service message API: how anything reaches a customer later than the answer in place. */
export function createWechatClient(options: WechatClientOptions) {
  const { apiBaseUrl = DEFAULT_API, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const call = (path: string, body: unknown) =>
    options.breaker.run(() =>
      postToPlatform(options.fetch, { platform: 'WeChat', url: `${apiBaseUrl}${path}`, body, timeoutMs }),
    )
  const accessToken = createAccessToken(() => issueToken(call, options), options.clock)

  async function sendOnce(openId: string, content: string): Promise<PlatformAnswer> {
    const token = await accessToken.get()
    const path = `/cgi-bin/message/custom/send?access_token=${encodeURIComponent(token)}`
    const answer = await call(path, { touser: openId, msgtype: 'text', text: { content } })
    if (STALE_TOKEN.has(answer.errcode)) accessToken.forget(token)
    return answer
  }

  async function send(openId: string, content: string): Promise<void> {
    const first = await sendOnce(openId, content)
    assertAccepted(STALE_TOKEN.has(first.errcode) ? await sendOnce(openId, content) : first)
  }

  return {
    /**
     * Sends `text` to the customer `openId`, as several messages in order where it is longer than one may be, and returns
     * how many. Throws at the first that fails: `unavailable` for the platform's own failures, else what {@link REFUSALS}
     * names. WeChat takes a few messages (5 at the time of writing) within 48 hours of the customer's own last one.
     * Source: https://developers.weixin.qq.com/doc/offiaccount/en/Message_Management/Service_Center_messages.html
     */
    async pushText(openId: string, text: string): Promise<number> {
      const parts = splitIntoMessages(text, WECHAT_TEXT_BYTES)
      for (const part of parts) await send(openId, part)
      return parts.length
    },
  }
}

/**
 * The stable token rather than `/cgi-bin/token`: the latter invalidates the token that another replica holds.
 * Source: https://developers.weixin.qq.com/doc/offiaccount/Basic_Information/getStableAccessToken.html
 */
async function issueToken(
  call: (path: string, body: unknown) => Promise<PlatformAnswer>,
  { appId, appSecret }: WechatClientOptions,
): Promise<IssuedToken> {
  const body = { grant_type: 'client_credential', appid: appId, secret: appSecret }
  const answer = await call('/cgi-bin/stable_token', body)
  assertAccepted(answer)
  const { access_token: token, expires_in: expiresInSeconds } = answer
  if (typeof token === 'string' && token !== '' && typeof expiresInSeconds === 'number' && expiresInSeconds > 0) {
    return { token, expiresInSeconds }
  }
  throw new AppError('unavailable', 'wechat_token', 'WeChat handed out no access token')
}

function assertAccepted({ errcode, errmsg }: PlatformAnswer): void {
  if (errcode === 0) return
  const cause = new Error(`errcode ${errcode}: ${errmsg}`)
  const refusal = REFUSALS.get(errcode)
  if (!refusal) throw new AppError('unavailable', 'wechat_refused', `WeChat refused the call (${errcode})`, { cause })
  const { kind, code, message, retryAfterSeconds } = refusal
  throw new AppError(kind, code, message, retryAfterSeconds === undefined ? { cause } : { cause, retryAfterSeconds })
}
