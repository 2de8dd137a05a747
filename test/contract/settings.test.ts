import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { type ModelShop, openModelShop, QUESTION } from '../support/model-shop.ts'
import { writeNamedKeys } from '../support/named-keys.ts'
import { logInAs } from '../support/people.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'

const SETTINGS = '/api/v1/settings'
const ASSISTANT = `${SETTINGS}/assistant`
const SECRET = 'hush-hush-0123456789-hush'

describe('the settings', () => {
  let test: TestApp
  let keys: ReturnType<typeof writeNamedKeys>
  beforeAll(async () => {
    keys = writeNamedKeys(['knowledge'], ['admin'])
    test = await createTestApp({
      API_KEY: SECRET,
      API_KEYS_FILE: keys.path,
      LLM_API_KEY: `${SECRET}-llm`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}`,
      EMBEDDING_BASE_URL: '',
      RERANK_BASE_URL: `http://user:${SECRET}@127.0.0.1:9/rerank`,
      ASSISTANT_NAME: 'Fred',
    })
  })
  afterAll(async () => {
    await test.close()
    keys.remove()
  })

  it('are shown with their source, and no secret', async () => {
    const { status, body } = await test.call('GET', SETTINGS)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain('hush')
    const named = (name: string) => body.settings.find((each: { name: string }) => each.name === name)
    expect(named('API_KEY')).toMatchObject({ value: null, is_set: true, is_secret: true, source: 'environment' })
    expect(named('ALERT_WEBHOOK_URL')).toMatchObject({ value: null, is_set: false, is_secret: true, source: 'default' })
    expect(named('RERANK_BASE_URL').value).toBe('http://***@127.0.0.1:9/rerank')
    expect(named('HANDOFF_TIMEOUT_SECONDS')).toEqual({
      name: 'HANDOFF_TIMEOUT_SECONDS',
      value: 900,
      default: 900,
      is_set: true,
      is_secret: false,
      source: 'default',
      type: 'integer',
      minimum: 0,
      maximum: 604_800,
      values: null,
      description: expect.stringContaining('waits for a person'),
      needs_restart: true,
      change_at: null,
    })
    expect(named('LOG_LEVEL')).toMatchObject({
      value: 'silent',
      type: 'choice',
      values: expect.arrayContaining(['info']),
    })
    expect(named('ASSISTANT_NAME')).toMatchObject({ value: 'Fred', change_at: ASSISTANT })
  })

  it.each([
    ['GET', SETTINGS],
    ['GET', ASSISTANT],
    ['PUT', ASSISTANT],
    ['GET', `${ASSISTANT}/history`],
    ['POST', `${ASSISTANT}/undo`],
  ] as const)('are for admins: %s %s', async (method, url) => {
    const payload = method === 'GET' ? {} : { payload: {} }
    const ask = async (headers: Record<string, string>) =>
      (await test.app.inject({ method, url, headers, ...payload })).statusCode
    expect(await ask({})).toBe(401)
    expect(await ask(keys.headersOf('knowledge'))).toBe(403)
    expect([200, 409]).toContain(await ask(keys.headersOf('admin')))
  })

  it('of the environment are the defaults of the assistant', async () => {
    expect((await test.call('GET', ASSISTANT)).body).toMatchObject({
      settings: { name: 'Fred', greeting_en: '', temperature: null },
      sources: { name: 'environment' },
      has_model: false,
      version: 1,
    })
    const hello = await test.call('POST', '/api/v1/chat', { message: 'Hello' })
    expect(hello.body.reply).toBe('Hello! I am Fred, the virtual assistant. How can I help you?')
    const chinese = await test.call('POST', '/api/v1/chat', { message: '你好' })
    expect(chinese.body.reply).toBe('您好！我是Fred，智能客服，请问有什么可以帮您？')
  })

  it('of the assistant count from the next turn on, and are undone', async () => {
    const say = async (message: string) => (await test.call('POST', '/api/v1/chat', { message })).body.reply
    const update = { name: 'Mia', greeting_zh: '你好，我是米娅！' }
    const { status, body } = await test.call('PUT', ASSISTANT, update)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      settings: { ...update, greeting_en: '' },
      defaults: { name: 'Fred', greeting_zh: '' },
      sources: { name: 'stored', greeting_zh: 'stored', greeting_en: 'environment' },
      version: 2,
      updated_by: 'API_KEY',
    })
    expect(await say('Hello')).toContain('I am Mia, the virtual assistant')
    expect(await say('你好')).toBe('你好，我是米娅！')
    expect(await say('Who are you?')).toContain('I am Mia, a virtual assistant')
    expect((await test.call('POST', `${ASSISTANT}/undo`)).body).toMatchObject({
      settings: { name: 'Fred' },
      version: 3,
    })
    expect(await say('Hello')).toContain('I am Fred')
    expect((await test.call('POST', `${ASSISTANT}/undo`, { to_version: 2 })).body.settings.name).toBe('Mia')
    const reset = await test.call('PUT', ASSISTANT, { reset: ['name'] })
    expect(reset.body).toMatchObject({ settings: { name: 'Fred' }, sources: { name: 'environment' }, version: 5 })
    expect((await test.call('PUT', ASSISTANT, { reset: ['name'] })).body.version).toBe(5)
    const { body: history } = await test.call('GET', `${ASSISTANT}/history?limit=2`)
    expect(history.items).toMatchObject([
      { version: 5, action: 'update', changes: { name: { from: 'Mia', to: 'Fred' } }, created_by: 'API_KEY' },
      { version: 4, action: 'undo' },
    ])
    const older = await test.call('GET', `${ASSISTANT}/history?before=4`)
    expect(older.body.items.map(({ version }: { version: number }) => version)).toEqual([3, 2])
  })

  it('of the assistant are one person’s at a time', async () => {
    const { version } = (await test.call('GET', ASSISTANT)).body
    const names = ['Ann', 'Bob']
    const answers = await Promise.all(
      names.map((name) => test.call('PUT', ASSISTANT, { name, expected_version: version })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const winner = names[answers.findIndex(({ status }) => status === 200)]
    expect((await test.call('GET', ASSISTANT)).body).toMatchObject({ version: version + 1, settings: { name: winner } })
  })

  it.each([
    ['PUT', ASSISTANT, { temperature: 1 }, 409, 'No model is configured: LLM_MODEL is empty'],
    ['PUT', ASSISTANT, { model: 'm' }, 409, 'No model is configured: LLM_MODEL is empty'],
    ['PUT', ASSISTANT, { temperature: 3 }, 422, /^temperature: /],
    ['PUT', ASSISTANT, { name: 'x'.repeat(61) }, 422, /^name: /],
    ['PUT', ASSISTANT, { greeting_en: 5 }, 422, /^greeting_en: /],
    ['PUT', ASSISTANT, { reset: ['odd'] }, 422, /^reset/],
    ['PUT', ASSISTANT, { expected_version: 0 }, 422, /^expected_version: /],
    ['POST', `${ASSISTANT}/undo`, { to_version: 999 }, 404, 'There is no version 999'],
    ['POST', `${ASSISTANT}/undo`, { to_version: 0 }, 422, /^to_version: /],
    ['GET', `${ASSISTANT}/history?limit=0`, undefined, 422, /^limit: /],
  ] as const)('refuse %s %s %j', async (method, url, payload, status, detail) => {
    const before = (await test.call('GET', ASSISTANT)).body
    const answer = await test.call(method, url, payload)
    expect(answer.status).toBe(status)
    expect(answer.body.detail).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail))
    expect((await test.call('GET', ASSISTANT)).body).toEqual(before)
  })

  it('are changed by the person who is logged in, and the audit log says it', async () => {
    const boss = await logInAs(test, 'boss', 'admin')
    expect((await boss.call('PUT', ASSISTANT, { name: 'Zoe' })).body.updated_by).toBe('boss')
    const { rows } = await sql<object>`select subject, before, after from audit_log
      where actor = 'boss' and action like 'PUT%assistant'`.execute(test.db.executor)
    expect(rows).toMatchObject([{ subject: 'settings:assistant', after: { name: 'Zoe' } }])
  })
})

describe('settings that nobody ever changed', () => {
  it('have nothing to undo', async () => {
    const test = await createTestApp()
    expect(await test.call('POST', `${ASSISTANT}/undo`)).toMatchObject({
      status: 409,
      body: { detail: 'Nothing was changed yet' },
    })
    await test.close()
  })
})

describe('settings of a model', () => {
  let shop: ModelShop
  beforeAll(async () => {
    shop = await openModelShop()
  })
  afterAll(() => shop.close())
  beforeEach(() => shop.model.clear())

  it('are those of its next reply, which the cache does not answer in its old words', async () => {
    const text = 'Goods may be returned within 14 days of delivery [1].'
    const { test, model } = shop
    await test.call('PUT', '/api/v1/tuner/params', { cache_ttl_seconds: 600 })
    const ask = async () => {
      model.setDefault({ text })
      const { body } = await test.call('POST', '/api/v1/chat', { message: QUESTION })
      return body.data.mode
    }
    expect(await ask()).toBe('model')
    expect(await ask()).toBe('cached')
    const update = { name: 'Mia', persona: 'Talks like a pirate', model: 'other-model', temperature: 0.4 }
    expect((await test.call('PUT', ASSISTANT, update)).status).toBe(200)
    model.clear()
    expect(await ask()).toBe('model')
    const request = model.requests.at(-1)?.body as {
      model: string
      temperature: number
      messages: { role: string; content: string }[]
    }
    expect(request).toMatchObject({ model: 'other-model', temperature: 0.4 })
    expect(request.messages[0]?.content).toMatch(/You are called Mia\..*NOT_FOUND.*Talks like a pirate/s)
    expect(await ask()).toBe('cached')
  })
})

/** Two programs over one schema. An embedded database belongs to one process alone. */
describe.runIf(process.env.TEST_DATABASE_URL)('settings on two replicas', () => {
  let first: TestApp
  let second: App
  beforeAll(async () => {
    first = await createTestApp()
    second = await createApp(testConfig(), await first.database.reopen(), first.app.log)
  })
  afterAll(async () => {
    await second.close()
    await first.close()
  })

  it('are the same', async () => {
    const onSecond = async () => (await second.inject(ASSISTANT)).json().settings.name
    await first.call('PUT', ASSISTANT, { name: 'Mia' })
    await expect.poll(onSecond).toBe('Mia')
    await second.inject({ method: 'POST', url: `${ASSISTANT}/undo` })
    await expect.poll(async () => (await first.call('GET', ASSISTANT)).body.settings.name).toBe('')
  })
})
