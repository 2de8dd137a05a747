import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { exchange, listen, openConnection, request } from './support/wire.ts'

const HEALTH = '/api/v1/health'
const STATS = '/api/v1/knowledge/stats'
const RECOMMEND = '/api/v1/agent/sessions/sess-1/knowledge-recommend'
const INGEST = '/api/v1/knowledge/ingest'

let test: TestApp
let port: number
beforeAll(async () => {
  test = await createTestApp({ HEADERS_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '1000', MAX_UPLOAD_MB: '1' })
  port = await listen(test.app)
})
afterAll(() => test.close())

async function expectRefusal(bytes: string | Buffer, status: number, detail = /\S/): Promise<Record<string, string>> {
  const { responses, raw } = await exchange(port, bytes)
  const [response] = responses
  expect(response?.status, raw.slice(0, 500)).toBe(status)
  expect(JSON.parse(response?.body ?? '')).toEqual({ detail: expect.stringMatching(detail) })
  expect(response?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  })
  return response?.headers ?? {}
}

const isAlive = async () => (await exchange(port, request('GET', HEALTH))).responses[0]?.status === 200

describe('bytes that are no HTTP', () => {
  it.each([
    ['noise', '\x00\x01\x02\x03\r\n\r\n'],
    ['a line of text', 'hello\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method in lower case', 'get / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/7.3\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a blank in a header name', 'GET / HTTP/1.1\r\nBad header: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost\r\n\r\n'],
    ['a raw line feed in a header', 'GET / HTTP/1.1\r\nHost: x\nX: y\r\n\r\n'],
    ['U+0000 in a header', 'GET / HTTP/1.1\r\nHost: x\0y\r\n\r\n'],
    ['a blank in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two lengths', request('POST', RECOMMEND, { 'content-length': '2, 3' }, '{}')],
    ['a negative length', request('POST', RECOMMEND, { 'content-length': '-1' })],
    [
      'a length and chunks',
      request('POST', RECOMMEND, { 'content-length': '2', 'transfer-encoding': 'chunked' }, '0\r\n\r\n'),
    ],
    ['an unknown transfer encoding', request('POST', RECOMMEND, { 'transfer-encoding': 'gzip, foo' }, 'xx')],
  ])('are 400: %s', async (_, bytes) => {
    await expectRefusal(bytes, 400)
    expect(await isAlive()).toBe(true)
  })

  it('are 400 when the chunks of a body are broken', async () => {
    const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' }
    await expectRefusal(request('POST', RECOMMEND, headers, 'zz\r\n{}\r\n'), 400)
  })

  it('are 431 when the headers are too large', async () => {
    await expectRefusal(request('GET', HEALTH, { 'x-large': 'x'.repeat(64 * 1024) }), 431, /headers are too large/)
    await expectRefusal(request('GET', `/${'x'.repeat(64 * 1024)}`), 431)
  })

  it('are 413 when chunk extensions are endless', async () => {
    const chunk = `1;${'x'.repeat(32 * 1024)}\r\n`
    await expectRefusal(request('POST', RECOMMEND, { 'transfer-encoding': 'chunked' }, chunk), 413)
  })
})

describe('requests of no use here', () => {
  it('need a Host in HTTP/1.1 and none in HTTP/1.0', async () => {
    await expectRefusal(`GET ${HEALTH} HTTP/1.1\r\n\r\n`, 400, /^Host: /)
    expect((await exchange(port, `GET ${HEALTH} HTTP/1.0\r\n\r\n`)).responses[0]?.status).toBe(200)
  })

  it('may only expect 100-continue', async () => {
    await expectRefusal(request('POST', RECOMMEND, { expect: 'a-miracle', 'content-length': '2' }), 417)
    const { raw } = await exchange(
      port,
      request('POST', RECOMMEND, { expect: '100-continue', 'content-length': '2' }),
      {
        timeoutMs: 300,
      },
    )
    expect(raw).toContain('HTTP/1.1 100 Continue')
  })

  it('find no proxy, no server-wide options and no upgrade', async () => {
    const headers = await expectRefusal('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405)
    expect(headers.allow).toContain('GET')
    await expectRefusal(request('OPTIONS', '*'), 404)
    await expectRefusal(request('GET', 'http://example.org/'), 400, /^Host: /)
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'x',
      'sec-websocket-version': '13',
    }
    expect((await exchange(port, request('GET', HEALTH, upgrade))).responses[0]?.status).toBe(200)
  })

  it('are answered one after the other over one connection', async () => {
    const bytes = request('GET', HEALTH) + request('GET', '/nope') + request('GET', '/%zz') + request('GET', HEALTH)
    const { responses } = await exchange(port, bytes, { count: 4 })
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 400, 200])
  })
})

describe('slow requests', () => {
  it('are 408 when their headers do not come', async () => {
    await expectRefusal('GET / HTTP/1.1\r\nHost: x\r\n', 408, /too long/)
    await expectRefusal('', 408)
  })

  it('are 408 when their headers drip', async () => {
    const { socket, received } = await openConnection(port)
    socket.write('GET / HTTP/1.1\r\n')
    const drip = setInterval(() => socket.write('x: y\r\n'), 50)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(drip)
    expect(received()).toMatch(/^HTTP\/1\.1 408 /)
    expect(received()).toMatch(/\{"detail":"[^"]+"\}$/)
  })

  it.each([
    ['JSON', RECOMMEND, 'application/json', '{"query": '],
    [
      'a form',
      INGEST,
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.md"\r\n\r\n# A',
    ],
  ])('are 408 when their body does not come: %s', async (_, url, type, start) => {
    const headers = { 'content-type': type, 'content-length': '5000' }
    await expectRefusal(request('POST', url, headers, start), 408, /too long/)
    expect(await isAlive()).toBe(true)
  })
})

describe('callers who leave', () => {
  const form = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '900000' }
  const formStart =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="left.md"\r\n\r\n# Left\n\nSome words.'

  it.each([
    ['in the middle of the headers', 'POST / HTTP/1.1\r\nHost'],
    [
      'in the middle of JSON',
      request('POST', RECOMMEND, { 'content-type': 'application/json', 'content-length': '500' }, '{'),
    ],
    ['in the middle of a form', request('POST', INGEST, form, formStart)],
    [
      'in the middle of a chunk',
      request('POST', RECOMMEND, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }, 'ff\r\n{'),
    ],
    ['before the answer', request('GET', STATS)],
  ])('%s', async (_, bytes) => {
    for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const { socket } = await openConnection(port)
      socket.write(bytes)
      await sleep(20)
      socket[leave]()
    }
    expect(await isAlive()).toBe(true)
    expect((await test.call('GET', '/api/v1/knowledge/documents?q=left.md')).body.total).toBe(0)
  })
})

describe('a refused upload', () => {
  it('leaves the connection usable', async () => {
    const body = '--x\r\ncontent-disposition: form-data; name="other"; filename="a.md"\r\n\r\n# A\r\n'.padEnd(
      300_000,
      'x',
    )
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(body.length) }
    const bytes = request('POST', INGEST, headers, body) + request('GET', HEALTH)
    const { responses } = await exchange(port, bytes, { count: 2 })
    expect(responses.map(({ status }) => status)).toEqual([422, 200])
  })

  it.each([
    ['JSON', RECOMMEND, 'application/json', 8_000_000],
    ['a form by its length', INGEST, 'multipart/form-data; boundary=x', 20_000_000],
    ['a form by its file', INGEST, 'multipart/form-data; boundary=x', 3_000_000],
  ])('tells an ordinary client 413 and why: %s', async (_, url, type, size) => {
    const start = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.md"\r\n\r\n'
    const response = await fetch(`http://127.0.0.1:${port}${url}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: start.padEnd(size, 'x'),
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual({ detail: expect.stringMatching(/too large|larger than/) })
    expect(await isAlive()).toBe(true)
  })
})
