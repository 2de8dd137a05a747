import { describe, expect, it } from 'vitest'
import { createBreaker } from '../../../platform/breaker.ts'
import { createAccessToken } from './access-token.ts'
import { createWechatClient, REFUSALS, WECHAT_TEXT_BYTES } from './client.ts'

type Call = { url: string; body: Record<string, unknown> }
type Answer = Record<string, unknown> | string | number | Error

/** Plays the API from a script: an object is JSON, a text a raw body, a number a status, an error a broken connection. */
function scripted(answers: Answer[]) {
  const calls: Call[] = []
  let timeMs = 0
  const clock = { now: () => timeMs }
  const breaker = createBreaker({ name: 'wechat', failureThreshold: 3, recoveryTimeoutMs: 1000, clock })
  const fetch = async (url: string, init: RequestInit) => {
    calls.push({ url, body: JSON.parse(String(init.body)) })
    const answer = answers.shift() ?? { errcode: 0, errmsg: 'ok' }
    if (answer instanceof Error) throw answer
    if (typeof answer === 'number') return new Response('', { status: answer })
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }
  const client = createWechatClient({ appId: 'wx1', appSecret: 's3cret', fetch, breaker, clock })
  return { calls, breaker, client, advance: (ms: number) => (timeMs += ms) }
}

const token = (value: string, seconds = 7200) => ({ access_token: value, expires_in: seconds })
const ok = { errcode: 0, errmsg: 'ok' }

describe('pushText', () => {
  it('fetches a token once and sends text', async () => {
    const { client, calls } = scripted([token('T/1')])
    await client.pushText('o-1', '您好')
    await client.pushText('o-1', 'again')
    expect(calls).toEqual([
      {
        url: 'https://api.weixin.qq.com/cgi-bin/stable_token',
        body: { grant_type: 'client_credential', appid: 'wx1', secret: 's3cret' },
      },
      {
        url: 'https://api.weixin.qq.com/cgi-bin/message/custom/send?access_token=T%2F1',
        body: { touser: 'o-1', msgtype: 'text', text: { content: '您好' } },
      },
      expect.objectContaining({ body: { touser: 'o-1', msgtype: 'text', text: { content: 'again' } } }),
    ])
  })

  it('sends a long text as several messages in order and says how many', async () => {
    const { client, calls } = scripted([token('T')])
    const text = '很长的回答。'.repeat(300)
    expect(await client.pushText('o-1', text)).toBe(3)
    const contents = calls.slice(1).map(({ body }) => (body.text as { content: string }).content)
    expect(contents.join('')).toBe(text)
    for (const content of contents) expect(Buffer.byteLength(content)).toBeLessThanOrEqual(WECHAT_TEXT_BYTES)
  })

  it('sends nothing for a blank text', async () => {
    const { client, calls } = scripted([])
    expect(await client.pushText('o-1', ' \n ')).toBe(0)
    expect(calls).toEqual([])
  })

  it.each([40001, 40014, 42001])('replaces the token once when it is refused with %d', async (errcode) => {
    const { client, calls } = scripted([token('old'), { errcode, errmsg: 'x' }, token('new'), ok])
    await client.pushText('o-1', 'hi')
    expect(calls.map(({ url }) => url.split('?')[1])).toEqual([
      undefined,
      'access_token=old',
      undefined,
      'access_token=new',
    ])
  })

  it('gives up when the new token is refused too', async () => {
    const refused = { errcode: 40001, errmsg: 'invalid credential' }
    const { client, calls } = scripted([token('a'), refused, token('b'), refused])
    await expect(client.pushText('o-1', 'hi')).rejects.toMatchObject({ kind: 'unavailable', code: 'wechat_refused' })
    expect(calls).toHaveLength(4)
  })

  it.each([...REFUSALS])('maps errcode %d to its own error without blaming the platform', async (errcode, refusal) => {
    const { client, breaker } = scripted([token('T'), { errcode, errmsg: 'why' }])
    await expect(client.pushText('o-1', 'hi')).rejects.toMatchObject({ kind: refusal.kind, code: refusal.code })
    expect(breaker.stats().failure_count).toBe(0)
  })

  it('stops at the first part that fails', async () => {
    const { client, calls } = scripted([token('T'), ok, { errcode: 45047, errmsg: 'quota' }])
    await expect(client.pushText('o-1', 'x'.repeat(5000))).rejects.toMatchObject({ code: 'wechat_quota_used' })
    expect(calls).toHaveLength(3)
  })

  it.each([
    ['a broken connection', new Error('connect ECONNREFUSED')],
    ['a status', 502],
    ['something else than JSON', '<html>'],
    ['a list', '[]'],
    ['"system busy"', { errcode: -1, errmsg: 'system error' }],
  ])('counts %s as a failure of the platform', async (_, answer) => {
    const { client, breaker } = scripted([token('T'), answer as Answer])
    await expect(client.pushText('o-1', 'hi')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'platform_unavailable',
    })
    expect(breaker.stats().failure_count).toBe(1)
  })

  it('does not call a platform whose breaker is open', async () => {
    const { client, calls } = scripted([500, 500, 500])
    for (let attempt = 0; attempt < 3; attempt++) await expect(client.pushText('o', 'hi')).rejects.toThrow()
    await expect(client.pushText('o', 'hi')).rejects.toMatchObject({ code: 'circuit_open' })
    expect(calls).toHaveLength(3)
  })

  it.each([
    { errcode: 40125, errmsg: 'invalid appsecret' },
    { errcode: 40164, errmsg: 'invalid ip 10.0.0.1' },
    { access_token: '', expires_in: 7200 },
    { access_token: 'T' },
  ])('fails without a token: %j', async (answer) => {
    const { client } = scripted([answer])
    await expect(client.pushText('o-1', 'hi')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('keeps the secret, the token and the platform’s own words out of public messages', async () => {
    const { client } = scripted([token('T0KEN'), { errcode: 99999, errmsg: 'from 10.0.0.1' }])
    const error = await client.pushText('o-1', 'hi').catch((caught: Error) => caught)
    expect(String(error)).not.toMatch(/T0KEN|s3cret|10\.0\.0\.1/)
  })

  it('renews a token five minutes before it runs out', async () => {
    const { client, calls, advance } = scripted([token('first', 7200), ok, ok, token('second'), ok])
    await client.pushText('o', '1')
    advance((7200 - 301) * 1000)
    await client.pushText('o', '2')
    expect(calls).toHaveLength(3)
    advance(1000)
    await client.pushText('o', '3')
    expect(calls.at(-1)?.url).toContain('access_token=second')
  })
})

describe('createAccessToken', () => {
  it('asks once for concurrent callers', async () => {
    let issued = 0
    const issue = async () => ({ token: `t${++issued}`, expiresInSeconds: 7200 })
    const accessToken = createAccessToken(issue, { now: () => 0 })
    expect(await Promise.all([accessToken.get(), accessToken.get(), accessToken.get()])).toEqual(['t1', 't1', 't1'])
  })

  it('tries again after a failure', async () => {
    let attempts = 0
    const issue = async () => {
      if (++attempts === 1) throw new Error('down')
      return { token: 'T', expiresInSeconds: 7200 }
    }
    const accessToken = createAccessToken(issue, { now: () => 0 })
    await expect(accessToken.get()).rejects.toThrow('down')
    expect(await accessToken.get()).toBe('T')
  })

  it('forgets only the token that was refused, not a newer one', async () => {
    let issued = 0
    const accessToken = createAccessToken(async () => ({ token: `t${++issued}`, expiresInSeconds: 60 }), {
      now: () => 0,
    })
    await accessToken.get()
    accessToken.forget('t0')
    expect(await accessToken.get()).toBe('t1')
    accessToken.forget('t1')
    expect(await accessToken.get()).toBe('t2')
  })
})
