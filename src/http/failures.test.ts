import { Readable } from 'node:stream'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import { pino } from 'pino'
import { Type } from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError, type ErrorKind } from '../kernel/errors.ts'
import { open } from './auth.ts'
import { describeApi } from './openapi.ts'
import { type App, createHttpServer } from './server.ts'

const logged: Record<string, unknown>[] = []
const apps: App[] = []
afterEach(async () => {
  logged.length = 0
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

function createServer(): App {
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const app = createHttpServer({
    logger,
    apiKey: '',
    trustProxy: false,
    headersTimeoutMs: 1_000,
    requestTimeoutMs: 1_000,
  })
  apps.push(app)
  return app
}

/** Answer of a route that runs `handler`. */
async function answerOf(handler: () => unknown) {
  const app = createServer()
  app.get('/planted', async () => handler())
  return app.inject('/planted')
}

const KINDS: [ErrorKind, number][] = [
  ['bad_request', 400],
  ['unauthorized', 401],
  ['not_found', 404],
  ['method_not_allowed', 405],
  ['conflict', 409],
  ['too_large', 413],
  ['unsupported_media', 415],
  ['invalid', 422],
  ['too_many', 429],
  ['internal', 500],
  ['unavailable', 503],
]

describe('an expected failure', () => {
  it.each(KINDS)('of kind %s is %d and says its message', async (kind, status) => {
    const response = await answerOf(() => {
      throw new AppError(kind, 'planted', 'a public message', { cause: new Error('a secret') })
    })
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual({ detail: 'a public message' })
  })

  it('says when to come back, as stated or as usual', async () => {
    const fail = (retryAfterSeconds?: number) => () => {
      throw new AppError('unavailable', 'x', 'y', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
    }
    expect((await answerOf(fail(17))).headers['retry-after']).toBe('17')
    expect((await answerOf(fail())).headers['retry-after']).toBe('5')
  })

  it('is cut when its message is endless', async () => {
    const response = await answerOf(() => {
      throw new AppError('invalid', 'x', 'y'.repeat(100_000))
    })
    expect(response.body.length).toBeLessThan(1_100)
  })
})

describe('an unexpected failure', () => {
  it.each<[string, unknown]>([
    ['an Error', new Error('a secret')],
    ['an Error with a status', Object.assign(new Error('a secret'), { statusCode: 200 })],
    ['an Error with a status of a server', Object.assign(new Error('a secret'), { statusCode: 502 })],
    ['an Error with a code', Object.assign(new Error('a secret'), { code: 'ECONNREFUSED' })],
    ['an Error whose validation is none', Object.assign(new Error('a secret'), { validation: 'x' })],
    ['an Error with headers', Object.assign(new Error('a secret'), { headers: { 'x-secret': '1' } })],
    ['text', 'a secret'],
    ['nothing', undefined],
    ['null', null],
    ['a number', 42],
    ['an object', { message: 'a secret', detail: 'a secret' }],
  ])('is 500 and says nothing: %s', async (_, thrown) => {
    const response = await answerOf(() => {
      throw thrown
    })
    expect(response.statusCode).toBe(500)
    expect(response.headers).not.toHaveProperty('x-secret')
    expect(response.json()).toEqual({ detail: 'Internal server error' })
  })

  it.each<[string, () => unknown]>([
    [
      'a body that refers to itself',
      () => {
        const body: Record<string, unknown> = {}
        body.self = body
        return body
      },
    ],
    ['a body with a bigint', () => ({ count: 1n })],
    [
      'a stream that fails before its first byte',
      () =>
        new Readable({
          read() {
            this.destroy(new Error('a secret'))
          },
        }),
    ],
  ])('is 500 in form when it comes while answering: %s', async (_, handler) => {
    const response = await answerOf(handler)
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({ detail: 'Internal server error' })
  })

  it('is logged with its cause, and a caller’s mistake is not', async () => {
    await answerOf(() => {
      throw new AppError('internal', 'planted', 'public', { cause: new Error('the cause') })
    })
    expect(JSON.stringify(logged.filter(({ level }) => level === 50))).toContain('the cause')
    logged.length = 0
    await answerOf(() => {
      throw new AppError('invalid', 'planted', 'public')
    })
    expect(logged.filter(({ level }) => Number(level) > 30)).toEqual([])
  })
})

describe('libraries that refuse by themselves', () => {
  it('too many requests are 429 in form, with the limiter’s own Retry-After', async () => {
    const app = createServer()
    await app.register(rateLimit, { max: 1, timeWindow: 40_000 })
    app.get('/planted', async () => 'fine')
    await app.inject('/planted')
    const response = await app.inject('/planted')
    expect(response.statusCode).toBe(429)
    expect(response.json()).toEqual({ detail: 'Too many requests' })
    expect(response.headers['retry-after']).toBe('40')
  })

  it('pressure is 503 in form', async () => {
    const app = createServer()
    await app.register(underPressure, { healthCheck: async () => false, healthCheckInterval: 60_000, retryAfter: 11 })
    app.get('/planted', async () => 'fine')
    const response = await app.inject('/planted')
    expect(response.statusCode).toBe(503)
    expect(response.json()).toEqual({ detail: 'The service is overloaded' })
    expect(response.headers['retry-after']).toBe('11')
  })

  it('an unsatisfiable range or a failed precondition of an asset stays in form', async () => {
    const app = createServer()
    await describeApi(app, { title: 'T', version: '1', groups: {} })
    const asset = '/docs/static/swagger-ui.css'
    for (const headers of [
      { range: 'bytes=999999999-' },
      { 'if-match': '"other"' },
      { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ]) {
      const response = await app.inject({ url: asset, headers })
      expect(response.statusCode, JSON.stringify(headers)).toBe(400)
      expect(response.json()).toEqual({ detail: 'The request is malformed' })
      expect(response.headers).not.toHaveProperty('content-range')
      expect(response.headers).not.toHaveProperty('etag')
    }
    expect((await app.inject({ url: asset, headers: { range: 'bytes=0-9' } })).body).toHaveLength(10)
  })
})

describe('the log', () => {
  it('has one line a request, with the route and not the values in it', async () => {
    const app = createServer()
    const schema = { body: Type.Object({ message: Type.String() }) }
    app.post('/planted/:name', { schema, config: open }, async () => ({}))
    const headers = { 'x-api-key': 'secret-key', 'x-request-id': 'request-id-1234' }
    await app.inject({
      method: 'POST',
      url: '/planted/secret-name?q=secret-query',
      headers,
      payload: { message: 'secret-text' },
    })
    await app.inject({
      method: 'POST',
      url: '/planted/secret-name',
      headers,
      payload: { message: 5, other: 'secret-text' },
    })
    await app.inject({ method: 'POST', url: '/secret-path', headers, payload: { message: 'secret-text' } })
    const requests = logged.filter(({ msg }) => msg === 'Request')
    expect(requests.map(({ reqId, method, route, status }) => ({ reqId, method, route, status }))).toEqual([
      { reqId: 'request-id-1234', method: 'POST', route: '/planted/:name', status: 200 },
      { reqId: 'request-id-1234', method: 'POST', route: '/planted/:name', status: 422 },
      { reqId: 'request-id-1234', method: 'POST', route: 'unknown', status: 404 },
    ])
    const visible = logged.filter(({ level }) => Number(level) >= 30)
    expect(JSON.stringify(visible)).not.toContain('secret')
  })
})
