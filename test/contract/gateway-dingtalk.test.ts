import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDingtalkSimulator, type DingtalkRobot } from '../support/dingtalk-simulator/platform.ts'
import { type DingtalkWebhookServer, startDingtalkWebhook } from '../support/dingtalk-simulator/webhook-server.ts'
import { originOf } from '../support/event-stream.ts'
import { startStubServer } from '../support/stub-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const SECRET = 'this is secret'
const GUIDE = '# 保修\n\n## 保修多久？\n\n所有台灯保修两年。\n'

describe('DingTalk', () => {
  let test: TestApp
  let webhooks: DingtalkWebhookServer
  let count = 0
  beforeAll(async () => {
    webhooks = await startDingtalkWebhook()
    test = await createTestApp({
      API_KEY: 'the key',
      DINGTALK_APP_SECRET: SECRET,
      DINGTALK_WEBHOOK_ORIGINS: webhooks.origin,
      CHANNEL_REPLY_BUDGET_MS: '2000',
    })
    await test.upload(GUIDE, 'warranty.md')
  })
  afterAll(async () => {
    await test.close()
    await webhooks.close()
  })

  async function robot(more: Partial<DingtalkRobot> = {}) {
    const name = `chat-${count++}`
    const callbackUrl = `${await originOf(test.app)}/api/v1/gateway/dingtalk`
    const dingtalk = createDingtalkSimulator({
      callbackUrl,
      appSecret: SECRET,
      robotCode: name,
      sessionWebhook: webhooks.webhookFor(name),
      ...more,
    })
    const arrived = () => webhooks.replies.all.filter(({ session }) => session === name)
    const replies = async (howMany: number) => {
      while (arrived().length < howMany) await webhooks.replies.waitFor(webhooks.replies.all.length + 1)
      return arrived()
    }
    const options = { conversationId: name, senderStaffId: 'staff-1' }
    return { dingtalk, arrived, replies, options, sessionId: `dingtalk:${name}:staff-1` }
  }
  const saidIn = async (sessionId: string): Promise<string[]> =>
    (await test.call('GET', `/api/v1/agent/sessions/${encodeURIComponent(sessionId)}`)).body.history.map(
      ({ role }: { role: string }) => role,
    )

  it('answers at the session webhook, without the API key', async () => {
    const { dingtalk, replies, options, sessionId } = await robot()
    expect(await dingtalk.sendText('保修多久？', options)).toMatchObject({ accepted: true })
    expect(await replies(1)).toMatchObject([
      { msgtype: 'text', text: expect.stringContaining('保修两年'), atUserIds: [] },
    ])
    expect(await saidIn(sessionId)).toEqual(['user', 'assistant'])
  })

  it('understands voice, asks for words instead of pictures, names whom it answers in a group', async () => {
    const { dingtalk, replies, options } = await robot()
    await dingtalk.sendVoice('保修多久？', { ...options, conversationType: '2' })
    expect((await replies(1))[0]).toMatchObject({ text: expect.stringContaining('保修两年'), atUserIds: ['staff-1'] })
    await dingtalk.send({ msgtype: 'picture', content: { downloadCode: 'x' } }, options)
    expect((await replies(2))[1]?.text).toContain('请用文字')
  })

  it('keeps the conversations of one person apart', async () => {
    const first = await robot()
    const second = await robot()
    await first.dingtalk.sendText('你好', first.options)
    await second.dingtalk.sendText('你好', second.options)
    await first.replies(1)
    await second.replies(1)
    expect(await saidIn(first.sessionId)).toHaveLength(2)
    expect(await saidIn(second.sessionId)).toHaveLength(2)
  })

  it('answers what comes several times once, also after a slow answer and at the same time', async () => {
    const { dingtalk, replies, arrived, options, sessionId } = await robot({ timeScale: 0.05 })
    await dingtalk.sendText('你好', options)
    await replies(1)
    await sql`update chat_sessions set turn_owner = 'a test', turn_expires_at = now() + interval '1 hour'
      where session_id = ${sessionId}`.execute(test.db.executor)
    const repeated = { ...options, msgId: `repeated-${sessionId}`, attempts: 3 }
    const tries = [dingtalk.sendText('保修多久？', repeated), dingtalk.sendText('保修多久？', repeated)]
    // DingTalk gives up on the first sooner than the answer is made; what it sends again is acknowledged at once.
    for (const { accepted } of await Promise.all(tries)) expect(accepted).toBe(true)
    await sql`update chat_sessions set turn_owner = null where session_id = ${sessionId}`.execute(test.db.executor)
    await replies(2)
    expect(await dingtalk.sendText('保修多久？', { ...repeated, attempts: 1 })).toMatchObject({ accepted: true })
    await dingtalk.sendText('谢谢', options)
    await replies(3)
    expect(arrived()).toHaveLength(3)
    expect(await saidIn(sessionId)).toHaveLength(6)
  })

  it('refuses what is forged or stale', async () => {
    const { dingtalk, options } = await robot()
    for (const tamper of [{ sign: 'AAAA' }, { clockOffsetMs: -310_000 }, { clockOffsetMs: 310_000 }]) {
      expect(await dingtalk.sendText('你好', { ...options, tamper })).toMatchObject({ attempts: [{ status: 401 }] })
    }
    const broken = await dingtalk.sendText('你好', { ...options, tamper: { body: () => '{' } })
    expect(broken).toMatchObject({ attempts: [{ status: 422 }] })
    const huge = await dingtalk.sendText('x'.repeat(70_000), options)
    expect(huge).toMatchObject({ attempts: [{ status: 413 }] })
  })

  it('never calls an address that is not DingTalk’s', async () => {
    let calls = 0
    const stranger = await startStubServer(() => {
      calls += 1
      return { body: '{}' }
    })
    const { dingtalk, options, sessionId } = await robot({
      sessionWebhook: `${stranger.origin}/robot/sendBySession?session=x`,
    })
    expect((await dingtalk.sendText('你好', options)).accepted).toBe(true)
    const state = async () => {
      const { rows } = await sql<{ state: string }>`select state from gateway_outbox
        where session_id = ${sessionId}`.execute(test.db.executor)
      return rows[0]?.state
    }
    while ((await state()) !== 'failed') await new Promise((resolve) => setTimeout(resolve, 20))
    expect(calls).toBe(0)
    await stranger.close()
  })

  it('brings what people write', async () => {
    const { dingtalk, replies, options, sessionId } = await robot()
    await dingtalk.sendText('请转人工客服', options)
    await replies(1)
    const path = `/api/v1/agent/sessions/${encodeURIComponent(sessionId)}`
    await test.call('POST', `${path}/accept`)
    await test.call('POST', `${path}/messages`, { content: '您好，我是小王' })
    expect((await replies(2))[1]?.text).toBe('您好，我是小王')
  })
})
