import { createInbox, type Inbox, type StubAnswer, type StubRequest, startStubServer } from '../stub-server.ts'

export type Push = { openId: string; text: string }

/** A stand-in for `api.weixin.qq.com`: tokens and customer-service messages. */
export type WechatApi = {
  /** For the client's `apiBaseUrl`. */
  origin: string
  pushes: Inbox<Push>
  tokensIssued(): number
  /** The next calls to the message endpoint answer these codes instead, in order. */
  failNext(...errcodes: number[]): void
  /** Makes every token handed out so far invalid, as another caller's forced refresh would. */
  revokeTokens(): void
  close(): Promise<void>
}

const OK = { errcode: 0, errmsg: 'ok' }

export async function startWechatApi(account: { appId: string; appSecret: string; port?: number }): Promise<WechatApi> {
  const pushes = createInbox<Push>()
  const failures: number[] = []
  let issued = 0
  let validToken = ''

  function issueToken(appId: unknown, secret: unknown): unknown {
    if (appId !== account.appId) return { errcode: 40013, errmsg: 'invalid appid' }
    if (secret !== account.appSecret) return { errcode: 40125, errmsg: 'invalid appsecret' }
    if (validToken === '') validToken = `token-${++issued}`
    return { access_token: validToken, expires_in: 7200 }
  }

  function acceptMessage(token: string | null, body: Record<string, unknown>): unknown {
    const failure = failures.shift()
    if (failure !== undefined) return { errcode: failure, errmsg: 'scripted' }
    if (token === null || token !== validToken) return { errcode: 40001, errmsg: 'invalid credential' }
    const { touser, msgtype, text } = body as { touser?: string; msgtype?: string; text?: { content?: string } }
    if (!touser) return { errcode: 40003, errmsg: 'invalid openid' }
    if (msgtype !== 'text' || !text?.content) return { errcode: 44004, errmsg: 'empty content' }
    if (Buffer.byteLength(text.content) > 2048) return { errcode: 45002, errmsg: 'content size out of limit' }
    pushes.add({ openId: touser, text: text.content })
    return OK
  }

  function route({ method, url, body }: StubRequest): unknown {
    const query = url.searchParams
    const json = method === 'POST' ? JSON.parse(body.toString()) : {}
    switch (`${method} ${url.pathname}`) {
      case 'GET /cgi-bin/token':
        return issueToken(query.get('appid'), query.get('secret'))
      case 'POST /cgi-bin/stable_token':
        return issueToken(json.appid, json.secret)
      case 'POST /cgi-bin/message/custom/send':
        return acceptMessage(query.get('access_token'), json)
      default:
        return { errcode: 40066, errmsg: 'invalid url' }
    }
  }

  const answer = (request: StubRequest): StubAnswer => ({
    contentType: 'application/json',
    body: JSON.stringify(route(request)),
  })
  const server = await startStubServer(answer, account.port)
  return {
    origin: server.origin,
    pushes,
    tokensIssued: () => issued,
    failNext: (...errcodes) => void failures.push(...errcodes),
    revokeTokens: () => {
      validToken = ''
    },
    close: server.close,
  }
}
