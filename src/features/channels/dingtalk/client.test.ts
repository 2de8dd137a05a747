import { describe, expect, it } from 'vitest'
import { createBreaker } from '../../../platform/breaker.ts'
import { splitTextByBytes } from '../split-text.ts'
import { createDingtalkClient, DINGTALK_TEXT_BYTES, textReply } from './client.ts'

const webhook = { url: 'https://oapi.dingtalk.com/robot/sendBySession?session=x', expiresAtMs: 100_000 }

function scripted(answers: (Record<string, unknown> | number)[]) {
  const calls: { url: string; init: RequestInit }[] = []
  let timeMs = 0
  const clock = { now: () => timeMs }
  const breaker = createBreaker({ name: 'dingtalk', failureThreshold: 2, recoveryTimeoutMs: 1000, clock })
  const fetch = async (url: string, init: RequestInit) => {
    calls.push({ url, init })
    const answer = answers.shift() ?? { errcode: 0, errmsg: 'ok' }
    return typeof answer === 'number' ? new Response('', { status: answer }) : Response.json(answer)
  }
  const wait = (ms: number) => (timeMs += ms)
  return { calls, breaker, wait, client: createDingtalkClient({ fetch, breaker, clock }) }
}

describe('reply', () => {
  it('posts JSON to the webhook and follows no redirect', async () => {
    const { client, calls } = scripted([])
    await client.reply(webhook, textReply('hi'))
    expect(calls[0]).toMatchObject({ url: webhook.url, init: { method: 'POST', redirect: 'error' } })
    expect(JSON.parse(String(calls[0]?.init.body))).toEqual(textReply('hi'))
  })

  it('calls nobody but DingTalk', async () => {
    const { client, calls } = scripted([])
    const elsewhere = { ...webhook, url: 'https://evil.example/' }
    await expect(client.reply(elsewhere, textReply('hi'))).rejects.toMatchObject({ code: 'dingtalk_webhook_host' })
    expect(calls).toEqual([])
  })

  it('drops what expired before it could be sent', async () => {
    const { client, calls, wait } = scripted([])
    for (let sent = 0; sent < 4; sent++) await client.reply(webhook, textReply(`${sent}`))
    wait(100_000)
    await expect(client.reply(webhook, textReply('late'))).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'dingtalk_webhook_expired',
    })
    expect(calls).toHaveLength(4)
  })

  it.each([130101, 410100])('tells "too fast" (%d) from other refusals', async (errcode) => {
    const { client, breaker } = scripted([
      { errcode, errmsg: 'x' },
      { errcode: 310000, errmsg: 'y' },
    ])
    await expect(client.reply(webhook, textReply('a'))).rejects.toMatchObject({
      kind: 'too_many',
      retryAfterSeconds: 600,
    })
    await expect(client.reply(webhook, textReply('b'))).rejects.toMatchObject({ code: 'dingtalk_refused' })
    expect(breaker.stats().failure_count).toBe(0)
  })

  it("counts the platform's own failures and stops calling", async () => {
    const { client, calls } = scripted([500, 500])
    for (let sent = 0; sent < 2; sent++) {
      await expect(client.reply(webhook, textReply('x'))).rejects.toMatchObject({ code: 'platform_unavailable' })
    }
    await expect(client.reply(webhook, textReply('x'))).rejects.toMatchObject({ code: 'circuit_open' })
    expect(calls).toHaveLength(2)
  })
})

describe('textReply', () => {
  it('has the documented shape', () => {
    expect(textReply('您好', ['staff1'])).toEqual({
      msgtype: 'text',
      text: { content: '您好' },
      at: { atUserIds: ['staff1'], isAtAll: false },
    })
    expect(textReply('您好')).toMatchObject({ at: { atUserIds: [], isAtAll: false } })
  })

  it.each(['一二三四五六七八九十\n"'.repeat(1000), '"'.repeat(DINGTALK_TEXT_BYTES)])(
    'fits into what DingTalk takes, whatever JSON escapes: %#',
    (text) => {
      for (const part of splitTextByBytes(text, DINGTALK_TEXT_BYTES)) {
        expect(Buffer.byteLength(JSON.stringify(textReply(part, ['staff1'])))).toBeLessThan(20_000)
      }
    },
  )
})
