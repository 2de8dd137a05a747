import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { fillPath, routesOf, serves } from './support/routes.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ API_KEY: 'key' })
})
afterAll(() => test.close())

const get = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers })

function expectRefusal(
  response: { statusCode: number; body: string; headers: Record<string, unknown> },
  status: number,
) {
  expect(response.statusCode, response.body).toBe(status)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(JSON.parse(response.body)).toEqual({ detail: expect.stringMatching(/\S/) })
}

describe('an unknown route', () => {
  it.each([
    '/index.html',
    '/assets/nope.js',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v2/health',
    '/api/v1/health/',
    '/api/v1//health',
    '/API/v1/health',
    '/api/v1/health/x',
    '/favicon.ico',
    '/.env',
    '/api/v1/knowledge/documents/a/b',
    '/a(b',
    '/:id',
    '/*',
    '/api/v1/knowledge/documents/x/../../health',
    '/<script>alert(1)</script>',
    '/%E4%BD%A0%E5%A5%BD',
    '/docs/static/nope.js',
    '/docs/static',
    '/docs/nope',
    '/docs/static/..%2f..%2fpackage.json',
    '/docs/static/%2e%2e/package.json',
    '/docs/static/a%5cb',
    '/redoc/',
    '/redoc/redoc.standalone.js.map',
    '/openapi.yaml',
  ])('is 404: %s', async (url) => {
    const response = await get(url)
    expectRefusal(response, 404)
    expect(response.headers).not.toHaveProperty('allow')
  })

  it('is 404 with a short answer, however long its path', async () => {
    const response = await get(`/${'x'.repeat(8_000)}`)
    expectRefusal(response, 404)
    expect(response.body.length).toBeLessThan(400)
  })

  it('is 404 whatever its body: what is wrong is the path', async () => {
    for (const payload of ['{"broken', Buffer.alloc(2 * 1024 * 1024, 'x')]) {
      const headers = { 'content-type': 'application/json' }
      expectRefusal(await test.app.inject({ method: 'POST', url: '/api/v1/nope', headers, payload }), 404)
    }
    const form = { 'content-type': 'multipart/form-data' }
    expectRefusal(await test.app.inject({ method: 'POST', url: '/api/v1/nope', headers: form, payload: '--' }), 404)
  })
})

describe('a malformed URL', () => {
  it.each([
    '/%zz',
    '/api/v1/knowledge/documents/%',
    '/api/v1/knowledge/documents/%E4%BD',
    '/api/v1/%c0%ae%c0%ae/health',
  ])('is 400: %s', async (url) => {
    const response = await get(url)
    expectRefusal(response, 400)
    expect(response.headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' })
  })

  it('keeps a query with odd escapes readable', async () => {
    for (const query of ['?limit=%zz', '?%zz=1', '?limit=1&limit=%', '?=&&&=', '?q=%00', '?%00=1', '?__proto__=1']) {
      const { statusCode } = await get(`/api/v1/knowledge/documents${query}`, { 'x-api-key': 'key' })
      expect([200, 422]).toContain(statusCode)
    }
  })

  it('refuses U+0000 in parameters, which no database column could hold', async () => {
    const headers = { 'x-api-key': 'key' }
    expectRefusal(await get('/api/v1/knowledge/documents/a%00b', headers), 422)
    expectRefusal(await get('/api/v1/knowledge/documents?q=a%00b', headers), 422)
    expectRefusal(await get('/api/v1/knowledge/documents?unknown=%00', headers), 422)
  })

  it('checks the key before the length of a parameter', async () => {
    const url = `/api/v1/knowledge/documents/${'x'.repeat(5_000)}`
    expectRefusal(await get(url), 401)
    expectRefusal(await get(url, { 'x-api-key': 'key' }), 422)
  })
})

describe('a known path with another method', () => {
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE'] as const

  it('is 405 and Allow says what would be right, for every path', async () => {
    const routes = routesOf(test.app).filter(({ path }) => !path.includes('*'))
    const byPath = Map.groupBy(routes, ({ path }) => path)
    expect(byPath.size).toBeGreaterThan(5)
    for (const [path, known] of byPath) {
      const url = fillPath(known[0]!)
      const allowed = [...new Set(routes.filter((each) => serves(each, url)).map(({ method }) => method))]
      for (const method of METHODS.filter((each) => !allowed.includes(each))) {
        const response = await test.app.inject({ method: method as 'GET', url })
        expectRefusal(response, 405)
        expect(String(response.headers.allow).split(', ').sort(), `${method} ${path}`).toEqual([...allowed].sort())
      }
    }
  })

  it('joins the methods of a fixed path and of a parameter in its place', async () => {
    const response = await test.app.inject({ method: 'PATCH', url: '/api/v1/knowledge/documents/%E4%BD%A0%2Fx' })
    expect(response.headers.allow).toContain('DELETE')
  })

  it('answers HEAD like GET without the body', async () => {
    const full = await get('/openapi.json')
    const head = await test.app.inject({ method: 'HEAD', url: '/openapi.json' })
    expect(head).toMatchObject({ statusCode: 200, body: '' })
    expect(head.headers['content-length']).toBe(full.headers['content-length'])
    expect(await test.app.inject({ method: 'HEAD', url: '/nope' })).toMatchObject({ statusCode: 404, body: '' })
  })
})

describe('headers of every response', () => {
  const CASES: [name: string, status: number, url: string, method?: string][] = [
    ['a success', 200, '/api/v1/health'],
    ['a missing key', 401, '/api/v1/knowledge/stats'],
    ['an unknown route', 404, '/nope'],
    ['a wrong method', 405, '/api/v1/health', 'DELETE'],
    ['a malformed URL', 400, '/%zz'],
    ['a missing asset', 404, '/docs/static/nope.js'],
  ]

  it.each(CASES)('%s has the security headers and a request id', async (_, status, url, method = 'GET') => {
    const response = await test.app.inject({
      method: method as 'GET',
      url,
      headers: { 'x-request-id': 'proxy-id-12345' },
    })
    expect(response.statusCode).toBe(status)
    expect(response.headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'SAMEORIGIN',
      'x-request-id': 'proxy-id-12345',
    })
    expect(response.headers).not.toHaveProperty('x-powered-by')
    expect(response.headers).not.toHaveProperty('server')
  })

  it.each(['short', '0123456789'.repeat(13), 'with blanks in it', 'line\tbreak-12345', '<script>12345678'])(
    'replaces the odd request id %j',
    async (id) => {
      const response = await get('/api/v1/health', { 'x-request-id': id })
      expect(response.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    },
  )

  it('gives each request an id of its own', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await get('/nope')).headers['x-request-id']))
    expect(new Set(ids).size).toBe(20)
  })
})

describe('order of checks', () => {
  const key = { 'x-api-key': 'key' }

  it('is key, validation, existence', async () => {
    const url = '/api/v1/knowledge/documents/no-such-document'
    expect((await test.app.inject({ method: 'DELETE', url })).statusCode).toBe(401)
    const tooLong = `/api/v1/knowledge/documents/${'x'.repeat(501)}`
    expect((await test.app.inject({ method: 'DELETE', url: tooLong, headers: key })).statusCode).toBe(422)
    expect((await test.app.inject({ method: 'DELETE', url, headers: key })).statusCode).toBe(404)
  })
})
