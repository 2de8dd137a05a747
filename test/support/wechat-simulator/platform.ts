import { XMLParser } from 'fast-xml-parser'
import { open, seal, sign } from './platform-crypto.ts'

/** How the account is set up on the platform. `timeScale` 0.01 turns the five seconds that WeChat waits into 50 ms. */
export type WechatAccount = {
  /** The callback door, such as `http://127.0.0.1:8000/api/v1/gateway/wechat`. */
  callbackUrl: string
  token: string
  appId?: string
  encodingAesKey?: string
  /** The account's own id, `ToUserName` of what arrives. */
  accountId?: string
  mode?: 'plain' | 'encrypted'
  timeScale?: number
  /** Milliseconds since 1970; tests shift it. */
  now?: () => number
}

/** What is done to a request on its way, to see it refused. */
export type Tampering = {
  signature?: string
  /** How far the (rightly signed) timestamp is off, in seconds. */
  clockOffsetSeconds?: number
  body?: (xml: string) => string
  query?: Record<string, string>
}

/** The fields of a message by their XML names; those left out get values of their own. */
export type MessageFields = { MsgType: string } & Record<string, string>

export type SendOptions = {
  openId?: string
  mode?: 'plain' | 'encrypted'
  /** At most this many tries; WeChat makes three in all. */
  attempts?: number
  tamper?: Tampering
}

export type Attempt = { status: number; body: string } | { timedOut: true } | { failed: string }

/**
 * `replied`: the customer sees `text`. `acknowledged`: nothing is shown, no retry. `refused`: a status outside 2xx.
 * `gave_up`: no answer in time, three times.
 */
export type Exchange = {
  outcome: 'replied' | 'acknowledged' | 'refused' | 'gave_up'
  text: string
  attempts: Attempt[]
}

export type WechatSimulator = {
  checkUrl(options?: {
    mode?: 'plain' | 'encrypted'
    tamper?: Tampering
  }): Promise<{ accepted: boolean; status: number }>
  send(fields: MessageFields, options?: SendOptions): Promise<Exchange>
  sendText(text: string, options?: SendOptions): Promise<Exchange>
}

const GIVE_UP_MS = 5000
const ATTEMPTS = 3
const MAX_REPLY_BYTES = 2048

/** Plays WeChat towards a service: signs, seals, waits five seconds, tries three times and reads the answer like a client. */
export function createWechatSimulator(account: WechatAccount): WechatSimulator {
  const now = account.now ?? Date.now
  let lastMessageId = 23_000_000_000_000_000n

  async function checkUrl(options: { mode?: 'plain' | 'encrypted'; tamper?: Tampering } = {}) {
    const echo = `echo-${Math.trunc(now())}`
    const isEncrypted = (options.mode ?? account.mode) === 'encrypted'
    const echostr = isEncrypted ? seal(sealOf(account), echo) : echo
    const query = signedQuery(account, now(), options.tamper, isEncrypted ? echostr : null)
    const response = await fetch(withQuery(account.callbackUrl, { ...query, echostr }))
    return { accepted: response.status === 200 && (await response.text()) === echo, status: response.status }
  }

  async function send(fields: MessageFields, options: SendOptions = {}): Promise<Exchange> {
    lastMessageId += 1n
    const xml = toXml({
      ToUserName: account.accountId ?? 'gh_simulator',
      FromUserName: options.openId ?? 'o-simulated-customer',
      CreateTime: String(Math.trunc(now() / 1000)),
      ...(fields.MsgType === 'event' ? {} : { MsgId: String(lastMessageId) }),
      ...fields,
    })
    const attempts: Attempt[] = []
    for (let tries = options.attempts ?? ATTEMPTS; tries > 0; tries--) {
      const attempt = await attemptOnce(account, xml, options, now())
      attempts.push(attempt)
      if ('status' in attempt) return readAnswer(account, attempt, attempts)
    }
    return { outcome: 'gave_up', text: '', attempts }
  }

  return { checkUrl, send, sendText: (text, options) => send({ MsgType: 'text', Content: text }, options) }
}

async function attemptOnce(account: WechatAccount, xml: string, options: SendOptions, nowMs: number): Promise<Attempt> {
  const isEncrypted = (options.mode ?? account.mode) === 'encrypted'
  const sealed = isEncrypted ? seal(sealOf(account), xml) : null
  const query = { ...signedQuery(account, nowMs, options.tamper, sealed), ...(sealed ? { encrypt_type: 'aes' } : {}) }
  const body = sealed ? toXml({ ToUserName: account.accountId ?? 'gh_simulator', Encrypt: sealed }) : xml
  try {
    const response = await fetch(withQuery(account.callbackUrl, query), {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: options.tamper?.body?.(body) ?? body,
      signal: AbortSignal.timeout(GIVE_UP_MS * (account.timeScale ?? 1)),
    })
    return { status: response.status, body: await response.text() }
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? { timedOut: true } : { failed: String(error) }
  }
}

/** Each try is signed anew, as WeChat does; `sealed` is null for plain messages. */
function signedQuery(account: WechatAccount, nowMs: number, tamper: Tampering = {}, sealed: string | null) {
  const timestamp = String(Math.trunc(nowMs / 1000) + (tamper.clockOffsetSeconds ?? 0))
  const nonce = String(Math.trunc(Math.random() * 1e9))
  const signature = tamper.signature ?? sign(account.token, timestamp, nonce)
  const covered =
    sealed === null ? {} : { msg_signature: tamper.signature ?? sign(account.token, timestamp, nonce, sealed) }
  return { signature, timestamp, nonce, ...covered, ...tamper.query }
}

function readAnswer(account: WechatAccount, answer: { status: number; body: string }, attempts: Attempt[]): Exchange {
  if (answer.status < 200 || answer.status > 299) return { outcome: 'refused', text: '', attempts }
  if (answer.body === '' || answer.body === 'success') return { outcome: 'acknowledged', text: '', attempts }
  return { outcome: 'replied', text: readReply(account, answer.body), attempts }
}

/** Throws where the customer's WeChat would show "service unavailable" instead of the reply. */
function readReply(account: WechatAccount, body: string): string {
  const outer = fromXml(body)
  const reply = outer.Encrypt === undefined ? outer : fromXml(openReply(account, outer))
  if (reply.MsgType !== 'text' || !reply.Content) throw new Error(`not a text reply: ${body}`)
  if (reply.FromUserName !== (account.accountId ?? 'gh_simulator'))
    throw new Error('the reply comes from another account')
  if (Buffer.byteLength(reply.Content) > MAX_REPLY_BYTES) throw new Error('the reply is longer than 2,048 bytes')
  return reply.Content
}

function openReply(account: WechatAccount, outer: Record<string, string>): string {
  const { Encrypt = '', MsgSignature, TimeStamp = '', Nonce = '' } = outer
  if (MsgSignature !== sign(account.token, TimeStamp, Nonce, Encrypt)) throw new Error("the reply's signature is wrong")
  return open(sealOf(account), Encrypt)
}

function sealOf({ encodingAesKey, appId }: WechatAccount) {
  if (!encodingAesKey || !appId) throw new Error('encrypted mode needs encodingAesKey and appId')
  return { encodingAesKey, appId }
}

function withQuery(url: string, query: Record<string, string>): string {
  return `${url}?${new URLSearchParams(query)}`
}

function toXml(fields: Record<string, string>): string {
  const isNumber = (text: string) => /^\d+$/.test(text)
  const value = (text: string) => (isNumber(text) ? text : `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`)
  return `<xml>${Object.entries(fields)
    .map(([name, text]) => `<${name}>${value(text)}</${name}>`)
    .join('\n')}</xml>`
}

function fromXml(xml: string): Record<string, string> {
  const root: unknown = new XMLParser({ parseTagValue: false, trimValues: false }).parse(xml, true)?.xml
  if (typeof root !== 'object' || root === null) throw new Error(`not a reply: ${xml}`)
  return root as Record<string, string>
}
