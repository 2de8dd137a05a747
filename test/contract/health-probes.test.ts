import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createManualClock } from '../support/manual-clock.ts'
import { type StubAnswer, type StubRequest, type StubServer, startStubServer } from '../support/stub-server.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createWatchApp, type WatchApp } from '../support/watch-app.ts'

const HEALTH = '/api/v1/observability/health'
const CHECKLIST = '/api/v1/operations/release-checklist'
const KEY = 'sk-key-of-the-model-0123456789'
const FRESH_MS = 10_000

interface Check {
  name: string
  status: string
  message: string
  error?: string
}

let database: TestDatabase
let stub: StubServer
let replica: WatchApp
const clock = createManualClock()
const requests: StubRequest[] = []
let answer: StubAnswer | Promise<StubAnswer> = { body: '{"data":[]}' }

async function open(environment: Record<string, string>): Promise<WatchApp> {
  return createWatchApp(database.db, { clock, environment: { ALERT_FREE_DISK_PERCENT: '0', ...environment } })
}
async function checks(app = replica): Promise<Record<string, Check>> {
  const { status, body } = await app.call('GET', HEALTH)
  expect(status).toBe(200)
  return Object.fromEntries(body.checks.map((check: Check) => [check.name, check]))
}
async function modelCheck(app = replica): Promise<Check> {
  const { body } = await app.call('GET', CHECKLIST)
  return body.checks.find(({ name }: Check) => name === 'model')
}

beforeAll(async () => {
  database = await createTestDatabase()
  stub = await startStubServer((request) => {
    requests.push(request)
    return answer
  })
  replica = await open({
    LLM_MODEL: 'm',
    LLM_BASE_URL: `${stub.origin}/inner-path/v1`,
    LLM_API_KEY: KEY,
    EMBEDDING_MODEL: 'e',
    EMBEDDING_BASE_URL: `${stub.origin}/e/v1/`,
    RERANK_MODEL: 'r',
    RERANK_BASE_URL: `${stub.origin}/r/v1`,
  })
})
afterAll(async () => {
  await replica.close()
  await stub.close()
  await database.close()
})
beforeEach(() => {
  clock.advance(FRESH_MS)
  requests.length = 0
  answer = { body: '{"data":[]}' }
})

describe('health of endpoints', () => {
  it.each([
    [200, 'healthy', 'The endpoint answers'],
    [404, 'healthy', 'The endpoint is reachable; not probed further'],
    [405, 'healthy', 'The endpoint is reachable; not probed further'],
    [401, 'unhealthy', 'The endpoint is reachable and refuses the key'],
    [403, 'unhealthy', 'The endpoint is reachable and refuses the key'],
    [429, 'degraded', 'The endpoint is reachable and says that it is busy'],
    [302, 'degraded', 'The endpoint redirects elsewhere, which is not followed'],
    [500, 'unhealthy', 'The endpoint answers with an error of its own'],
    [503, 'unhealthy', 'The endpoint answers with an error of its own'],
  ])('that answer %i: %s', async (status, expected, message) => {
    answer = { status, body: `${KEY} in the answer` }
    const found = await checks()
    for (const name of ['llm', 'embedding', 'rerank']) {
      expect(found[name]).toMatchObject({ status: expected, message })
    }
    const { status: whole } = (await replica.call('GET', HEALTH)).body
    // A busy machine is degraded by itself.
    if (expected !== 'healthy') expect(whole).toBe('degraded')
    expect((await modelCheck()).status).toBe(expected === 'healthy' ? 'passed' : 'failed')
  })

  it('that are gone: unhealthy, and nothing says where they were', async () => {
    const gone = await startStubServer(() => ({ body: '' }))
    const origin = gone.origin
    await gone.close()
    const lost = await open({ LLM_MODEL: 'm', LLM_BASE_URL: `${origin}/inner-path`, LLM_API_KEY: KEY, APP_NAME: 'x' })
    expect((await checks(lost)).llm).toMatchObject({ status: 'unhealthy', message: 'The endpoint cannot be reached' })
    expect(await modelCheck(lost)).toMatchObject({
      name: 'model',
      status: 'failed',
      error: 'The model: The endpoint cannot be reached',
    })
    const said = JSON.stringify([await lost.call('GET', HEALTH), await lost.call('GET', CHECKLIST)])
    for (const secret of [KEY, 'inner-path', new URL(origin).port, '127.0.0.1']) expect(said).not.toContain(secret)
    await lost.close()
  })

  it('that take the connection and say nothing: unhealthy, and the report does not wait for them', async () => {
    const mute: Server = createServer(() => {})
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as { port: number }
    const held = await open({ LLM_MODEL: 'm', LLM_BASE_URL: `http://127.0.0.1:${port}` })
    expect((await checks(held)).llm).toMatchObject({
      status: 'unhealthy',
      message: 'The endpoint does not answer in time',
    })
    await held.close()
    mute.close()
  })

  it('costs one GET each, however many read it, until it is ten seconds old; no model is asked to write', async () => {
    let release = (_: StubAnswer): void => {}
    answer = new Promise((resolve) => {
      release = resolve
    })
    const reading = Promise.all(Array.from({ length: 50 }, () => checks()))
    await expect.poll(() => requests.length).toBe(3)
    release({ body: '{}' })
    for (const found of await reading) expect(found.llm?.status).toBe('healthy')
    for (let i = 0; i < 50; i++) await replica.call('GET', i % 2 ? HEALTH : CHECKLIST)
    expect(requests.map(({ method, url }) => `${method} ${url.pathname}`).sort()).toEqual([
      'GET /e/v1/models',
      'GET /inner-path/v1/models',
      'GET /r/v1/rerank',
    ])
    expect(requests.find(({ url }) => url.pathname.startsWith('/inner'))?.headers.authorization).toBe(`Bearer ${KEY}`)
    clock.advance(FRESH_MS - 1)
    await checks()
    expect(requests).toHaveLength(3)
    clock.advance(1)
    answer = { status: 500, body: '' }
    expect((await checks()).llm?.status).toBe('unhealthy')
    expect(requests).toHaveLength(6)
  })

  it('leaves alone what its breaker leaves alone', async () => {
    const breaker = replica.watch.breakers.get('llm')
    const fail = () => breaker.run(() => Promise.reject(new Error('x'))).catch(() => {})
    for (let i = 0; i < 5; i++) await fail()
    expect((await checks()).llm).toMatchObject({
      status: 'unhealthy',
      message: 'It keeps failing and is left alone for a while',
    })
    expect(requests.map(({ url }) => url.pathname)).not.toContain('/inner-path/v1/models')
    breaker.reset()
  })

  it('asks Anthropic with the headers that it wants', async () => {
    const other = await open({
      LLM_PROVIDER: 'anthropic',
      LLM_MODEL: 'm',
      LLM_BASE_URL: `${stub.origin}/a/v1`,
      LLM_API_KEY: KEY,
    })
    expect((await checks(other)).llm?.status).toBe('healthy')
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({
      method: 'GET',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    })
    expect(requests[0]?.headers.authorization).toBeUndefined()
    await other.close()
  })
})

describe('health of the shop’s own systems', () => {
  it('says that they are not probed, and is that of the worst of them', async () => {
    const shop = await open({ BUSINESS_CONFIG: 'named-and-not-read-here.yaml' })
    const found = async () => (await checks(shop)).business
    expect(await found()).toMatchObject({ status: 'healthy', message: 'The shop’s own systems; not probed' })
    const fail = () =>
      shop.watch.breakers
        .get('business:parcels')
        .run(() => Promise.reject(new Error('x')))
        .catch(() => {})
    for (let i = 0; i < 5; i++) await fail()
    expect(await found()).toMatchObject({ status: 'unhealthy' })
    await shop.close()
  })
})

it('without endpoints nothing is asked, and what stands in for them is said', async () => {
  const alone = await open({})
  const found = await checks(alone)
  expect(
    [found.embedding, found.llm, found.rerank, found.business].map((check) => [check?.status, check?.message]),
  ).toEqual([
    ['healthy', 'Local embedder'],
    ['not_configured', 'Replies are extractive'],
    ['not_configured', 'Built-in ranking'],
    ['healthy', 'Embedded records'],
  ])
  expect((await modelCheck(alone)).status).toBe('passed')
  expect(requests).toEqual([])
  await alone.close()
})
