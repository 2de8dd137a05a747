import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ChatModel, ModelCall } from '../../src/ai/model/port.ts'
import { createTokenBudget, limitTokens } from '../../src/ai/model/token-limits.ts'
import { open } from '../../src/http/auth.ts'
import { type App, createHttpServer } from '../../src/http/server.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model/server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const MANUAL = '# Returns\n\nGoods may be returned within 14 days of delivery. The refund takes three working days.\n'
const QUESTION = 'Until when may I return goods?'
const REPLY = 'Goods may be returned within 14 days of delivery [1].'

describe('a daily token budget', () => {
  let model: ScriptedModel
  let test: TestApp
  beforeAll(async () => {
    model = await startScriptedModel()
    model.setDefault({ text: REPLY })
    test = await createTestApp({ LLM_MODEL: 'm', LLM_BASE_URL: model.url, DAILY_TOKEN_BUDGET: '100' })
    await test.call('PUT', '/api/v1/tuner/params', { cache_ttl_seconds: 0 })
    await test.upload(MANUAL, 'returns.md')
  })
  afterAll(async () => {
    await test.close()
    await model.close()
  })

  it('that is used up leaves customers with extractive replies, and the endpoint in peace', async () => {
    const first = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(first.body).toMatchObject({ reply: REPLY, data: { mode: 'model' } })
    const asked = model.requests.length
    const second = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(second).toMatchObject({
      status: 200,
      body: { data: { mode: 'fallback', sources: [{ source: 'returns.md' }] } },
    })
    expect(second.body.reply).toContain('14 days')
    expect(model.requests).toHaveLength(asked)
    const { body: breakers } = await test.call('GET', '/api/v1/observability/circuit-breakers')
    expect(breakers.llm.state).toBe('CLOSED')
  })
})

describe('a token limit', () => {
  const messages = [{ role: 'user' as const, content: 'word '.repeat(200) }]

  /** A model that notes how much it was allowed to write. */
  function recording(): { model: ChatModel; outputs: (number | undefined)[] } {
    const outputs: (number | undefined)[] = []
    const model: ChatModel = {
      id: 'recording',
      modelOf: () => 'm',
      async *stream({ maxOutputTokens }) {
        outputs.push(maxOutputTokens)
        yield { type: 'finish', reason: 'stop' }
      },
    }
    return { model, outputs }
  }

  async function ask(model: ChatModel) {
    for await (const event of model.stream({ messages })) return event
    return undefined
  }

  it('of a call cuts what may be written, and refuses what is too long to read', async () => {
    const budget = { isSpent: () => false }
    const { model, outputs } = recording()
    expect(await ask(limitTokens(model, { maxTokensPerCall: 1_000, budget }))).toMatchObject({ type: 'finish' })
    expect(outputs[0]).toBeGreaterThan(500)
    expect(outputs[0]).toBeLessThan(900)
    expect(await ask(limitTokens(model, { maxTokensPerCall: 100, budget }))).toMatchObject({
      type: 'error',
      error: { code: 'over_budget', message: 'The tokens allowed for the language model are used up' },
    })
    expect(outputs).toHaveLength(1)
  })

  const call = (tokens: number) => ({ usage: { inputTokens: tokens - 1, outputTokens: 1 } }) as ModelCall

  it('of a day counts what this process uses at once and what others use with each reading', async () => {
    let written = 40
    const budget = createTokenBudget({ tokensPerDay: 100, readUsed: async () => written })
    await budget.refresh()
    expect(budget.isSpent()).toBe(false)
    budget.add(call(59))
    expect(budget.isSpent()).toBe(false)
    budget.add(call(1))
    expect(budget.isSpent()).toBe(true)
    written = 99
    await budget.refresh()
    expect(budget.isSpent()).toBe(false)
    written = 100
    await budget.refresh()
    expect(budget.isSpent()).toBe(true)
  })

  it('of a day forgets nothing that is used while it reads', async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const budget = createTokenBudget({ tokensPerDay: 100, readUsed: () => promise })
    const reading = budget.refresh()
    budget.add(call(70))
    resolve(40)
    await reading
    expect(budget.isSpent()).toBe(true)
  })

  it('of no day is none', async () => {
    const budget = createTokenBudget({ tokensPerDay: 0, readUsed: () => Promise.reject(new Error('not asked')) })
    await budget.refresh()
    budget.add(call(1e9))
    expect(budget.isSpent()).toBe(false)
  })
})

describe('a rate limit of customers', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ RATE_LIMIT_PER_USER_PER_MINUTE: '2', RATE_LIMIT_PER_SESSION_PER_MINUTE: '3' })
  })
  afterAll(() => test.close())
  const ask = async (url: string, body: object) =>
    (await test.call('POST', `/api/v1/${url}`, { message: 'Hello', ...body })).status

  it('counts the messages of one user_id over chat, stream and gateway, whatever the session', async () => {
    expect(await ask('chat', { user_id: 'ann', session_id: 's1' })).toBe(200)
    expect(await ask('chat/stream', { user_id: ' ann ', session_id: 's2' })).toBe(200)
    for (const url of ['chat', 'chat/stream', 'gateway']) {
      expect(await ask(url, { channel: 'web', user_id: 'ann', session_id: 's3' }), url).toBe(429)
    }
    expect(await ask('chat', { user_id: 'bob', session_id: 's4' })).toBe(200)
  })

  it('counts those of one session_id, and says when to come back', async () => {
    for (const status of [200, 200, 200, 429]) expect(await ask('chat', { session_id: 'shared' })).toBe(status)
    const refused = await test.call('POST', '/api/v1/chat', { message: 'Hello', session_id: 'shared' })
    expect(refused).toMatchObject({ status: 429, body: { detail: 'session_id: too many messages within a minute' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('counts nobody together who names neither', async () => {
    for (let count = 0; count < 5; count++) expect(await ask('chat', { user_id: '', session_id: ' ' })).toBe(200)
  })
})

describe('a rate limit', () => {
  const apps: App[] = []
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

  function createServer(requestsPerMinute: number, trustProxy = false): App {
    const limits = { headersTimeoutMs: 1_000, requestTimeoutMs: 1_000, rateLimits: { perAddress: requestsPerMinute } }
    const app = createHttpServer({ logger: pino({ level: 'silent' }), apiKey: 'the key', trustProxy, ...limits })
    app.get('/api/v1/health', { config: open }, async () => ({ status: 'ok' }))
    app.get('/keyed', async () => ({ done: true }))
    apps.push(app)
    return app
  }

  const key = { 'x-api-key': 'the key' }
  const statuses = async (
    app: App,
    count: number,
    request: { url: string; headers?: Record<string, string>; remoteAddress?: string },
  ) => {
    const seen: number[] = []
    for (let i = 0; i < count; i++) seen.push((await app.inject(request)).statusCode)
    return seen
  }

  it('answers 429 in the contract’s form, with the time to come back', async () => {
    const app = createServer(3)
    expect(await statuses(app, 3, { url: '/keyed', headers: key })).toEqual([200, 200, 200])
    const refused = await app.inject({ url: '/keyed', headers: key })
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({ detail: 'Too many requests' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('counts guesses: wrong keys, and paths that do not exist', async () => {
    const app = createServer(4)
    expect(await statuses(app, 2, { url: '/keyed', headers: { 'x-api-key': 'a guess' } })).toEqual([401, 401])
    expect(await statuses(app, 2, { url: '/guess' })).toEqual([404, 404])
    expect(await statuses(app, 1, { url: '/keyed', headers: { 'x-api-key': 'another' } })).toEqual([429])
    expect(await statuses(app, 1, { url: '/keyed', headers: key })).toEqual([429])
  })

  it('leaves neighbours and the liveness probe alone', async () => {
    const app = createServer(1)
    expect(await statuses(app, 2, { url: '/keyed', headers: key, remoteAddress: '203.0.113.1' })).toEqual([200, 429])
    expect(await statuses(app, 1, { url: '/keyed', headers: key, remoteAddress: '203.0.113.2' })).toEqual([200])
    expect(await statuses(app, 5, { url: '/api/v1/health', remoteAddress: '203.0.113.1' })).toEqual([
      200, 200, 200, 200, 200,
    ])
  })

  it('takes the addresses that one subscriber can choose from for one', async () => {
    const app = createServer(1)
    const from = (remoteAddress: string) => statuses(app, 1, { url: '/keyed', headers: key, remoteAddress })
    expect(await from('2001:db8:1:2::1')).toEqual([200])
    expect(await from('2001:db8:1:2:ffff::9')).toEqual([429])
    expect(await from('2001:db8:1:3::1')).toEqual([200])
    expect(await from('203.0.113.1')).toEqual([200])
    expect(await from('::ffff:203.0.113.1')).toEqual([429])
  })

  it('believes X-Forwarded-For only of a proxy that it was told of', async () => {
    const claim = (address: string) => ({ url: '/keyed', headers: { ...key, 'x-forwarded-for': address } })
    const alone = createServer(1)
    expect(await statuses(alone, 1, claim('203.0.113.1'))).toEqual([200])
    expect(await statuses(alone, 1, claim('203.0.113.2'))).toEqual([429])
    const behindProxy = createServer(1, true)
    expect(await statuses(behindProxy, 2, claim('203.0.113.1'))).toEqual([200, 429])
    expect(await statuses(behindProxy, 1, claim('203.0.113.2'))).toEqual([200])
    // What a caller sends comes first, what the proxy adds comes last.
    expect(await statuses(behindProxy, 1, claim('198.51.100.7, 203.0.113.1'))).toEqual([429])
    expect(await statuses(behindProxy, 1, claim('no address at all'))).toEqual([200])
    expect(await statuses(behindProxy, 1, claim('nor is this'))).toEqual([429])
  })

  it('is not escaped by the ports that some proxies add to addresses', async () => {
    const from = (address: string) => ({ url: '/keyed', headers: { ...key, 'x-forwarded-for': address } })
    for (const [first, ...others] of [
      ['203.0.113.1', '203.0.113.1:5678', '203.0.113.1:5679', '[::ffff:203.0.113.1]:99', '203.0.113.1:'],
      ['[2001:db8:1:2::1]:99', '[2001:db8:1:2::1]:100', '2001:db8:1:2::2', '[2001:db8:1:2::3]'],
    ] as const) {
      const app = createServer(1, true)
      expect(await statuses(app, 1, from(first))).toEqual([200])
      for (const other of others) expect(await statuses(app, 1, from(other)), other).toEqual([429])
    }
  })

  it('is off unless it is set', async () => {
    const app = createServer(0)
    expect(new Set(await statuses(app, 300, { url: '/keyed', headers: key }))).toEqual(new Set([200]))
    expect((await app.inject({ url: '/keyed', headers: key })).headers).not.toHaveProperty('x-ratelimit-limit')
  })
})
