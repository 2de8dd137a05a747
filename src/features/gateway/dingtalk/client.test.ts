import { describe, expect, it } from 'vitest'
import { createBreaker } from '../../../platform/breaker.ts'
import { createDingtalkClient } from './client.ts'
import { textReply } from './reply.ts'
import { createSendQueue } from './send-queue.ts'

const webhook = { url: 'https://oapi.dingtalk.com/robot/sendBySession?session=x', expiresAtMs: 100_000 }

function scripted(answers: (Record<string, unknown> | number)[]) {
  const calls: { url: string; init: RequestInit }[] = []
  let timeMs = 0
  const clock = { now: () => timeMs }
  const sleep = async (ms: number) => {
    timeMs += ms
  }
  const breaker = createBreaker({ name: 'dingtalk', failureThreshold: 2, recoveryTimeoutMs: 1000, clock })
  const fetch = async (url: string, init: RequestInit) => {
    calls.push({ url, init })
    const answer = answers.shift() ?? { errcode: 0, errmsg: 'ok' }
    return typeof answer === 'number' ? new Response('', { status: answer }) : Response.json(answer)
  }
  const queue = createSendQueue({ clock, sleep, limit: 2 })
  return { calls, breaker, client: createDingtalkClient({ fetch, breaker, queue, clock }) }
}

describe('reply', () => {
  it('posts JSON to the webhook and follows no redirect', async () => {
    const { client, calls } = scripted([])
    await client.reply('robot1', webhook, textReply('hi'))
    expect(calls[0]).toMatchObject({ url: webhook.url, init: { method: 'POST', redirect: 'error' } })
    expect(JSON.parse(String(calls[0]?.init.body))).toEqual(textReply('hi'))
  })

  it('calls nobody but DingTalk', async () => {
    const { client, calls } = scripted([])
    const elsewhere = { ...webhook, url: 'https://evil.example/' }
    await expect(client.reply('r', elsewhere, textReply('hi'))).rejects.toMatchObject({ code: 'dingtalk_webhook_host' })
    expect(calls).toEqual([])
  })

  it('drops what expired while it waited for its turn', async () => {
    const { client, calls } = scripted([])
    for (let sent = 0; sent < 4; sent++) await client.reply('r', webhook, textReply(`${sent}`))
    await expect(client.reply('r', webhook, textReply('late'))).rejects.toMatchObject({
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
    await expect(client.reply('r', webhook, textReply('a'))).rejects.toMatchObject({
      kind: 'too_many',
      retryAfterSeconds: 600,
    })
    await expect(client.reply('r', webhook, textReply('b'))).rejects.toMatchObject({ code: 'dingtalk_refused' })
    expect(breaker.stats().failure_count).toBe(0)
  })

  it("counts the platform's own failures and stops calling", async () => {
    const { client, calls } = scripted([500, 500])
    for (const robot of ['a', 'b']) {
      await expect(client.reply(robot, webhook, textReply('x'))).rejects.toMatchObject({ code: 'platform_unavailable' })
    }
    await expect(client.reply('c', webhook, textReply('x'))).rejects.toMatchObject({ code: 'circuit_open' })
    expect(calls).toHaveLength(2)
  })
})
