import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeyHolder } from '../kernel/people.ts'
import { expandScopes, SCOPES, type Scope } from '../kernel/scopes.ts'
import { canDo, demandKey, open } from './auth.ts'
import { scopesOf } from './scopes.ts'
import { type App, createHttpServer } from './server.ts'

const REFUSAL = { detail: 'Invalid or missing API key' }
const hex = (key: string) => createHash('sha256').update(key).digest('hex')
const holders = new Map<string, KeyHolder>(
  SCOPES.map((scope) => [
    hex(`key of ${scope}`),
    { keyId: scope, name: `the ${scope}`, scopes: expandScopes([scope]) },
  ]),
)
const limits = { headersTimeoutMs: 10_000, requestTimeoutMs: 10_000 }

describe('named keys', () => {
  let app: App
  beforeAll(async () => {
    const keys = { find: (digest: Buffer) => holders.get(digest.toString('hex')) ?? null }
    app = createHttpServer({ logger: pino({ level: 'silent' }), apiKey: 'of old', keys, trustProxy: false, ...limits })
    app.get('/api/v1/knowledge/x', async ({ caller }) => ({ name: caller.name, scopes: [...caller.scopes] }))
    app.post('/api/v1/knowledge/x', async (request) => ({ mayAsk: canDo(request, 'chat') }))
    app.get('/api/v1/monitor/x', { config: open }, async ({ caller }) => ({ isTrusted: caller.isTrusted }))
    app.post('/api/v1/operations/x', { config: open }, async (request) => {
      demandKey(request)
      return { done: true }
    })
    app.get('/api/v1/somewhere-new', async () => ({}))
    await app.ready()
  })
  afterAll(() => app.close())

  async function ask(method: 'GET' | 'POST', path: string, key?: string) {
    const headers = key === undefined ? {} : { 'x-api-key': key }
    const response = await app.inject({ method, url: `/api/v1/${path}`, headers })
    return { status: response.statusCode, body: response.json() }
  }
  const allowed = async (method: 'GET' | 'POST', path: string): Promise<Scope[]> => {
    const statuses = await Promise.all(SCOPES.map((scope) => ask(method, path, `key of ${scope}`)))
    return SCOPES.filter((_, index) => statuses[index]?.status === 200)
  }

  it('open what their scopes name, and nothing else', async () => {
    expect(await allowed('GET', 'knowledge/x')).toEqual(['read', 'knowledge', 'admin'])
    expect(await allowed('POST', 'knowledge/x')).toEqual(['knowledge', 'admin'])
    expect(await allowed('GET', 'somewhere-new')).toEqual(['admin'])
  })

  it('without the scope are told which one is missing, by 403', async () => {
    expect(await ask('POST', 'knowledge/x', 'key of chat')).toEqual({
      status: 403,
      body: { detail: 'This API key lacks the scope knowledge' },
    })
  })

  it('that nobody knows get the exact 401, as does none', async () => {
    for (const key of [undefined, '', 'key of chats', 'of', 'OF OLD']) {
      expect(await ask('GET', 'knowledge/x', key)).toEqual({ status: 401, body: REFUSAL })
    }
  })

  it('leave the key of the setting all scopes', async () => {
    expect(await ask('GET', 'knowledge/x', 'of old')).toMatchObject({
      status: 200,
      body: { name: 'API_KEY', scopes: [...SCOPES] },
    })
    expect(await ask('POST', 'knowledge/x', 'of old')).toMatchObject({ body: { mayAsk: true } })
    expect(await ask('POST', 'knowledge/x', 'key of knowledge')).toMatchObject({ body: { mayAsk: false } })
  })

  it('are trusted on an open route only with its scope', async () => {
    const trusted = async (key?: string) => (await ask('GET', 'monitor/x', key)).body.isTrusted
    expect([await trusted(), await trusted('wrong'), await trusted('key of chat')]).toEqual([false, false, false])
    expect([await trusted('key of agent'), await trusted('key of admin'), await trusted('of old')]).toEqual([
      true,
      true,
      true,
    ])
  })

  it('are asked for by what an open route does for holders of a key alone', async () => {
    expect(await ask('POST', 'operations/x')).toEqual({ status: 401, body: REFUSAL })
    expect(await ask('POST', 'operations/x', 'key of read')).toMatchObject({ status: 403 })
    expect(await ask('POST', 'operations/x', 'key of admin')).toMatchObject({ status: 200 })
  })
})

it('without any key everybody may do everything', async () => {
  const app = createHttpServer({ logger: pino({ level: 'silent' }), apiKey: '', trustProxy: false, ...limits })
  app.post('/api/v1/keys', async (request) => ({ ...request.caller, may: canDo(request, 'admin') }))
  const response = await app.inject({ method: 'POST', url: '/api/v1/keys' })
  expect(response.json()).toMatchObject({ isTrusted: true, name: null, may: true })
  await app.close()
})

describe('the table of scopes', () => {
  it.each([
    ['POST', '/api/v1/chat', ['chat', 'agent']],
    ['POST', '/api/v1/escalation/solution', ['agent']],
    ['POST', '/api/v1/escalation/solutions/:solution_id/approve', ['knowledge']],
    ['HEAD', '/api/v1/tuner/params', ['read', 'knowledge']],
    ['PUT', '/api/v1/tuner/params', ['admin']],
    ['DELETE', '/api/v1/customers/:user_id', ['admin']],
    ['GET', '/api/v1/nobody-knows', null],
    ['GET', '/metrics', null],
  ])('%s %s: %j', (method, path, scopes) => expect(scopesOf(method, path)).toEqual(scopes))
})
