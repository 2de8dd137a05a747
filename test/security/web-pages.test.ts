import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../contract/support/routes.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** What web pages of others can make a visitor's browser send. */
const STATS = '/api/v1/knowledge/stats'
const FLUSH = '/api/v1/performance/cache/invalidate'
const KEY = 'a secret of 24 characters'
type Headers = Record<string, string>

function asker(test: () => TestApp) {
  return async (method: 'GET' | 'POST' | 'HEAD', url: string, headers: Headers = {}) => {
    const response = await test().app.inject({ method, url, headers })
    return { status: response.statusCode, detail: response.body === '' ? '' : (response.json().detail as string) }
  }
}

describe('without a key, on loopback', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())
  const ask = asker(() => test)

  it.each([
    'localhost:8000',
    'LOCALHOST',
    'localhost.:8000',
    'desk.localhost:8000',
    '127.0.0.1:8000',
    '127.1.2.3',
    '2130706433:8000',
    '[::1]:8000',
  ])('answers to the name %s', async (host) => {
    expect(await ask('GET', STATS, { host })).toMatchObject({ status: 200 })
  })

  it.each([
    'evil.example',
    'evil.example:8000',
    'localhost.evil.example:8000',
    '127.0.0.1.nip.io:8000',
    '192.168.0.7:8000',
    '0.0.0.0:8000',
    'localhost@evil.example',
    'localhost, evil.example',
  ])('does not answer to %s, to which a page may have led a browser', async (host) => {
    for (const [method, url] of [
      ['GET', STATS],
      ['GET', '/api/v1/health'],
      ['GET', '/openapi.json'],
      ['GET', '/docs'],
      ['POST', FLUSH],
    ] as const) {
      expect(await ask(method, url, { host }), url).toEqual({
        status: 403,
        detail: expect.stringMatching(/^Host: .*ALLOWED_HOSTS$/),
      })
    }
  })

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'http://localhost.evil.example:8000' },
    { origin: 'null' },
    { origin: 'file://' },
    { origin: 'chrome-extension://abcdef' },
    { origin: '', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:8000' },
  ])('refuses a page of another host, whatever it asks for: %j', async (headers) => {
    for (const [method, url] of [
      ['GET', STATS],
      ['GET', '/api/v1/monitor/traces'],
      ['POST', FLUSH],
      ['POST', '/api/v1/tuner/reset'],
    ] as const) {
      expect(await ask(method, url, headers as Headers), url).toMatchObject({ status: 403 })
    }
  })

  it('refuses on every route there is', async () => {
    const answered = []
    for (const { method, path } of routesOf(test.app)) {
      const url = path.replace(/:\w+/g, 'x').replace('*', 'x')
      const { statusCode } = await test.app.inject({
        method: method as 'GET',
        url,
        headers: { origin: 'http://e.vil' },
      })
      // What does not exist is neither shown nor changed.
      if (![403, 404].includes(statusCode)) answered.push(`${method} ${path}: ${statusCode}`)
    }
    expect(answered).toEqual([])
  })

  it('lets a form of another page neither write nor be a link that writes', async () => {
    const form = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    expect(await ask('POST', FLUSH, { ...form, origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    expect(await ask('POST', FLUSH, form)).toMatchObject({ status: 403 })
  })

  it('lets people follow a link to the pages', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const response = await test.app.inject({ url: '/docs', headers: link })
    expect(response.statusCode).toBe(200)
    expect((await test.app.inject({ method: 'HEAD', url: '/redoc', headers: link })).statusCode).toBe(200)
  })

  it('serves its own pages, those of another port, and whoever is no browser', async () => {
    const own = { origin: 'http://localhost:8000', host: 'localhost:8000', 'sec-fetch-site': 'same-origin' }
    const neighbour = { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }
    for (const headers of [{}, own, neighbour, { 'sec-fetch-site': 'none' }] as Headers[]) {
      expect(await ask('POST', FLUSH, headers)).toMatchObject({ status: 200 })
    }
  })

  it('is scraped and called back through a proxy that passes its own name on', async () => {
    const host = 'desk.example.com'
    expect((await test.app.inject({ url: '/metrics', headers: { host } })).statusCode).toBe(200)
    // 404: the door is not set up. The name was no reason.
    const callback = await test.app.inject({ method: 'POST', url: '/api/v1/gateway/dingtalk', headers: { host } })
    expect(callback.statusCode).toBe(404)
  })
})

describe('without a key, for others on purpose', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ HOST: '0.0.0.0', TRUST_PROXY: 'true' })
  })
  afterAll(() => test.close())
  const ask = asker(() => test)

  it('answers to any name, as long as none is listed', async () => {
    expect(await ask('GET', STATS, { host: 'desk.example.com' })).toMatchObject({ status: 200 })
    expect(await ask('POST', FLUSH, { host: '10.0.0.5:8000' })).toMatchObject({ status: 200 })
  })

  it.each([
    { host: '10.0.0.5:8000', origin: 'https://evil.example' },
    { host: '10.0.0.5:8000', origin: 'http://10.0.0.5.evil.example:8000' },
    { host: '10.0.0.5:8000', origin: 'null' },
    { host: 'desk.example.com', 'sec-fetch-site': 'cross-site' },
    { host: 'desk.example.com', 'sec-fetch-site': 'same-site', origin: 'https://other.example.com' },
    { host: '@', origin: 'https://@' },
  ] as Headers[])('refuses what another page would write: %j', async (headers) => {
    expect(await ask('POST', FLUSH, headers)).toMatchObject({ status: 403 })
  })

  it.each([
    { host: '10.0.0.5:8000', origin: 'http://10.0.0.5:8000' },
    { host: 'desk.example.com', origin: 'https://desk.example.com' },
    { host: 'DESK.example.com:443', origin: 'https://desk.example.com' },
    { host: '127.0.0.1:8000', origin: 'https://desk.example.com', 'x-forwarded-host': 'desk.example.com' },
    { host: '127.0.0.1:8000', origin: 'https://desk.example.com', 'sec-fetch-site': 'same-origin' },
  ] as Headers[])('takes what its own page writes, also through a proxy: %j', async (headers) => {
    expect(await ask('POST', FLUSH, headers)).toMatchObject({ status: 200 })
  })
})

describe('with a key', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: KEY, ALLOWED_HOSTS: 'desk.example.com, *.shop.example' })
  })
  afterAll(() => test.close())
  const ask = asker(() => test)
  const key = { 'x-api-key': KEY }

  it('answers to the names that are listed, and to those of this machine', async () => {
    for (const host of ['desk.example.com', 'DESK.example.com.:443', 'a.shop.example', 'localhost:8000', '127.0.0.1']) {
      expect(await ask('GET', STATS, { ...key, host }), host).toMatchObject({ status: 200 })
    }
    for (const host of ['evil.example', 'shop.example', 'notshop.example', 'desk.example.com.evil.example']) {
      expect(await ask('GET', STATS, { ...key, host }), host).toMatchObject({ status: 403 })
      expect(await ask('POST', FLUSH, { host }), host).toMatchObject({ status: 403 })
    }
  })

  it('answers probes, which come by address', async () => {
    expect(await ask('GET', '/api/v1/health', { host: '10.1.2.3:8000' })).toMatchObject({ status: 200 })
  })

  it('says 401 to a wrong key, whoever asks by whatever name', async () => {
    const headers = { host: 'evil.example', origin: 'https://evil.example', 'x-api-key': 'wrong' }
    expect(await ask('GET', STATS, headers)).toEqual({ status: 401, detail: 'Invalid or missing API key' })
  })

  it('takes what a page with the key asks for, and no open write of a foreign page without it', async () => {
    const page = { host: 'desk.example.com', origin: 'https://agents.example.com', 'sec-fetch-site': 'same-site' }
    expect(await ask('POST', FLUSH, { ...page, ...key })).toMatchObject({ status: 200 })
    expect(await ask('POST', FLUSH, page)).toMatchObject({ status: 403 })
    expect(await ask('POST', FLUSH, { host: 'desk.example.com' })).toMatchObject({ status: 200 })
    const own = { host: 'desk.example.com', origin: 'https://www.shop.example', 'sec-fetch-site': 'cross-site' }
    expect(await ask('POST', FLUSH, own)).toMatchObject({ status: 200 })
  })

  it('knows no cross-origin permission, no other method by header, and no cookie', async () => {
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const asked = await test.app.inject({ method: 'OPTIONS', url: '/api/v1/chat', headers: preflight })
    expect(asked.statusCode).toBe(405)
    const disguised = { 'x-http-method-override': 'POST', 'x-http-method': 'POST', 'x-method-override': 'POST' }
    const shown = await test.app.inject({ method: 'GET', url: FLUSH, headers: disguised })
    expect(shown.statusCode).toBe(405)
    const cookie = await test.app.inject({ url: STATS, headers: { cookie: `x-api-key=${KEY}; api_key=${KEY}` } })
    expect(cookie.statusCode).toBe(401)
    for (const { headers } of [asked, shown, cookie]) {
      expect(Object.keys(headers).filter((name) => /^(?:access-control-|set-cookie)/.test(name))).toEqual([])
    }
  })
})

describe('a request that names two hosts', () => {
  let test: TestApp
  let port: number
  const sockets: Socket[] = []
  beforeAll(async () => {
    test = await createTestApp()
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    port = (test.app.server.address() as AddressInfo).port
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await test.close()
  })

  function answer(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      sockets.push(socket)
      let said = ''
      socket.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
      socket.once('error', reject).once('close', () => resolve(said))
    })
  }
  const request = (target: string, ...headers: string[]) =>
    answer(`GET ${target} HTTP/1.1\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`)

  it.each([
    ['localhost and another', '/api/v1/health', ['Host: localhost', 'Host: evil.example']],
    ['another and localhost', '/api/v1/health', ['Host: evil.example', 'hOST: localhost']],
    ['the same twice', '/api/v1/health', ['Host: localhost', 'Host: localhost']],
    ['another in the target', 'http://evil.example/api/v1/health', ['Host: localhost']],
    ['localhost in the target', 'http://localhost/api/v1/health', ['Host: evil.example']],
    ['a user in the target', 'http://localhost@evil.example/api/v1/health', ['Host: localhost']],
  ])('is refused: %s', async (_, target, headers) => {
    const said = await request(target, ...headers)
    expect(said).toMatch(/^HTTP\/1\.1 400 /)
    expect(said).toContain('{"detail":"Host: ')
  })

  it('is answered when the target repeats the header, as HTTP has it', async () => {
    expect(await request('http://localhost/api/v1/health', 'Host: localhost')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await request('http://evil.example/api/v1/health', 'Host: evil.example')).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('is answered without the header in HTTP/1.0, which has none', async () => {
    expect(await answer('GET /api/v1/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })
})
