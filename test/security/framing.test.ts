import { pino } from 'pino'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { open } from '../../src/http/auth.ts'
import { type App, createHttpServer } from '../../src/http/server.ts'
import { exchange, listen } from '../contract/support/wire.ts'

/**
 * Bytes on which a proxy and a server could disagree where one request ends. Whatever is ambiguous is refused and the
 * connection ended, so that nothing that hides in a body is ever taken for a request.
 */

const KEY = 'key-of-the-wire'
const HIDDEN = `GET /hidden HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\n\r\n`
const CHUNKED = 'Transfer-Encoding: chunked'

let app: App
let port: number
/** Every request that reached the program. */
const seen: string[] = []
const bodies: unknown[] = []
beforeAll(async () => {
  const logger = pino({ level: 'silent' })
  app = createHttpServer({ logger, apiKey: KEY, trustProxy: false, headersTimeoutMs: 1_000, requestTimeoutMs: 1_500 })
  app.addHook('onRequest', async ({ method, url }) => void seen.push(`${method} ${url}`))
  app.post('/echo', { config: open, schema: { body: Type.Unknown() } }, async ({ body }) => {
    bodies.push(body)
    return { done: true }
  })
  app.post('/keyed', async () => ({ done: true }))
  for (const path of ['/hidden', '/after', '/number/:n']) app.get(path, { config: open }, async () => ({ done: true }))
  port = await listen(app)
})
afterAll(() => app.close())
beforeEach(() => {
  seen.length = 0
  bodies.length = 0
})

/** A POST with these header lines, as they stand, and this body. */
const post = (lines: string[], body: string, target = '/echo'): string =>
  [`POST ${target} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...lines].join('\r\n') +
  `\r\n\r\n${body}`
const lengthOf = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}`
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

/** Each would hide a request from one of the two readers. */
const AMBIGUOUS: [string, string][] = [
  ['two lengths that differ', post(['Content-Length: 2', `Content-Length: ${2 + HIDDEN.length}`], `{}${HIDDEN}`)],
  ['two lengths that agree', post(['Content-Length: 2', 'Content-Length: 2'], `{}${HIDDEN}`)],
  ['a list of lengths', post(['Content-Length: 2, 2'], `{}${HIDDEN}`)],
  ['a length with a sign', post(['Content-Length: +2'], `{}${HIDDEN}`)],
  ['a length in hexadecimal', post(['Content-Length: 0x2'], `{}${HIDDEN}`)],
  ['a length with a blank inside', post(['Content-Length: 2 0'], `{}${HIDDEN}`)],
  ['a length beyond all numbers', post([`Content-Length: ${'9'.repeat(40)}`], `{}${HIDDEN}`)],
  ['an empty length', post(['Content-Length:'], `{}${HIDDEN}`)],
  ['a length, then chunks', post([lengthOf(`0\r\n\r\n${HIDDEN}`), CHUNKED], `0\r\n\r\n${HIDDEN}`)],
  ['chunks, then a length', post([CHUNKED, 'Content-Length: 4'], `${chunk('{}')}0\r\n\r\n${HIDDEN}`)],
  ['chunks that are not the last encoding', post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${HIDDEN}`)],
  ['chunked twice', post(['Transfer-Encoding: chunked, chunked'], `0\r\n\r\n${HIDDEN}`)],
  ['two encodings in two lines', post([CHUNKED, 'Transfer-Encoding: identity'], `0\r\n\r\n${HIDDEN}`)],
  ['an encoding that only looks like chunked', post(['Transfer-Encoding: xchunked'], `0\r\n\r\n${HIDDEN}`)],
  ['an encoding in quotes', post(['Transfer-Encoding: "chunked"'], `0\r\n\r\n${HIDDEN}`)],
  ['a blank before the colon', post(['Transfer-Encoding : chunked'], `0\r\n\r\n${HIDDEN}`)],
  ['a vertical tab before the value', post(['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${HIDDEN}`)],
  ['a folded line', post(['Transfer-Encoding:', ' chunked', 'Content-Length: 4'], `0\r\n\r\n${HIDDEN}`)],
  ['a header that begins with a blank', post([' Content-Length: 2'], `{}${HIDDEN}`)],
  ['a bare carriage return in a header', post([`X: a\rContent-Length: 2`], `{}${HIDDEN}`)],
  ['a bare line feed in a header', post([`X: a\nContent-Length: 2`], `{}${HIDDEN}`)],
  ['lines that end in a line feed alone', post([lengthOf('{}')], '{}').replaceAll('\r\n', '\n') + HIDDEN],
  ['U+0000 in a name', post(['Content-Length\0: 2'], `{}${HIDDEN}`)],
  ['U+0000 in a value', post(['Content-Length: 2\0'], `{}${HIDDEN}`)],
  ['a chunk’s size with a sign', post([CHUNKED], `+2\r\n{}\r\n0\r\n\r\n${HIDDEN}`)],
  ['a chunk’s size that is negative', post([CHUNKED], `-2\r\n{}\r\n0\r\n\r\n${HIDDEN}`)],
  ['a chunk’s size with a prefix', post([CHUNKED], `0x2\r\n{}\r\n0\r\n\r\n${HIDDEN}`)],
  ['a chunk’s size beyond 64 bits', post([CHUNKED], `10000000000000002\r\n{}\r\n0\r\n\r\n${HIDDEN}`)],
  ['a chunk that is longer than its size', post([CHUNKED], `1\r\n{}\r\n0\r\n\r\n${HIDDEN}`)],
  ['a chunk without its end', post([CHUNKED], `2\r\n{}0\r\n\r\n${HIDDEN}`)],
  ['a line feed alone after a chunk’s size', post([CHUNKED], `2\n{}\n0\n\n${HIDDEN}`)],
  ['a length among the trailers', post([CHUNKED], `2\r\n{}\r\n0\r\nContent-Length: 500\r\n\r\n${HIDDEN}`)],
  ['a bare carriage return in a chunk’s extension', post([CHUNKED], `2;a\rb\r\n{}\r\n0\r\n\r\n${HIDDEN}`)],
  ['a line feed in a chunk’s extension', post([CHUNKED], `2;a\n{}\r\n0\r\n\r\n${HIDDEN}`)],
  ['a version of one digit', `POST /echo HTTP/1\r\nHost: localhost\r\n\r\n${HIDDEN}`],
]

describe('what two readers would cut differently', () => {
  it.each(AMBIGUOUS)('is refused, and nothing after it is read: %s', async (_, bytes) => {
    const { responses, raw, closed } = await exchange(port, bytes, { count: 2, timeoutMs: 4_000 })
    expect(responses.length, raw).toBeLessThanOrEqual(1)
    expect(responses[0]?.status ?? 400, raw).toBeGreaterThanOrEqual(400)
    expect(responses[0]?.status ?? 400, raw).toBeLessThan(500)
    expect(closed).toBe(true)
    expect(seen).not.toContain('GET /hidden')
    expect(bodies).toEqual([])
  })
})

describe('what only looks like it', () => {
  const request = (target: string, headers: string[] = []): string =>
    [`GET ${target} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')

  it.each([
    ['a request in a body of known length', post([lengthOf(JSON.stringify(HIDDEN))], JSON.stringify(HIDDEN))],
    ['a request in a chunk', post([CHUNKED], `${chunk(JSON.stringify(HIDDEN))}0\r\n\r\n`)],
    ['chunks in capitals, with an extension', post(['Transfer-Encoding: CHUNKED'], `2;a=b\r\n{}\r\n0\r\n\r\n`)],
    ['a size with zeros before it', post([CHUNKED], `0002\r\n{}\r\n000\r\n\r\n`)],
    ['trailers', post([CHUNKED, 'Trailer: X-End'], `${chunk('{}')}0\r\nX-End: 1\r\n\r\n`)],
  ])('is one request: %s', async (_, bytes) => {
    const { responses, raw } = await exchange(port, bytes + request('/after'), { count: 2 })
    expect(
      responses.map(({ status }) => status),
      raw,
    ).toEqual([200, 200])
    expect(seen).toEqual(['POST /echo', 'GET /after'])
  })

  it('is no key when it stands in a trailer, in a folded line, or under a name that is nearly the one', async () => {
    const tries = [
      post([CHUNKED, 'Trailer: X-API-Key'], `${chunk('{}')}0\r\nX-API-Key: ${KEY}\r\n\r\n`, '/keyed'),
      post([lengthOf('{}'), `X_API_Key: ${KEY}`], '{}', '/keyed'),
      post([lengthOf('{}'), `X-API-Key2: ${KEY}`], '{}', '/keyed'),
      post([lengthOf('{}'), `Authorization: Bearer ${KEY}`], '{}', '/keyed'),
      post([lengthOf('{}'), `X-API-Key: ${KEY}`, `X-API-Key: ${KEY}`], '{}', '/keyed'),
    ]
    for (const bytes of tries) {
      const { responses, raw } = await exchange(port, bytes)
      expect(responses[0]?.status, raw).toBe(401)
    }
    const right = post([lengthOf('{}'), `X-API-Key: ${KEY}`], '{}', '/keyed')
    expect((await exchange(port, right)).responses[0]?.status).toBe(200)
  })

  it('a refused request’s body is no request: 401, 404, 405, 415', async () => {
    const body = `${HIDDEN}${HIDDEN}`
    for (const [target, type, status] of [
      ['/keyed', 'application/json', 401],
      ['/nowhere', 'application/json', 404],
      ['/hidden', 'application/json', 405],
      ['/echo', 'text/html', 415],
    ] as const) {
      const bytes = post([lengthOf(body)], body, target).replace('application/json', type) + request('/after')
      const { responses, raw } = await exchange(port, bytes, { count: 2 })
      expect(
        responses.map((each) => each.status),
        raw,
      ).toEqual([status, 200])
    }
    expect(seen.filter((each) => each === 'GET /hidden')).toEqual([])
  })

  it('a whole URL, an upgrade to HTTP/2 and an expectation change nothing in who is asked', async () => {
    const absolute = `GET http://localhost/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const [first] = (await exchange(port, absolute)).responses
    expect([200, 400, 404]).toContain(first?.status)
    const upgrade = request('/hidden', [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABk',
    ])
    expect((await exchange(port, upgrade)).responses.map(({ status }) => status)).toEqual([200])
    const expecting = post(['Expect: 100-continue', lengthOf('{}')], '{}') + request('/after')
    expect((await exchange(port, expecting, { count: 2 })).responses.map(({ status }) => status)).toEqual([200, 200])
  })

  it('chunks in HTTP/1.0, which has none, end the connection with the first answer', async () => {
    const bytes = post([CHUNKED], `0\r\n\r\n${HIDDEN}`).replace('HTTP/1.1', 'HTTP/1.0')
    expect((await exchange(port, bytes, { count: 2 })).closed).toBe(true)
    expect(seen).not.toContain('GET /hidden')
  })

  it('a hundred requests in one write are answered in their order', async () => {
    const bytes = Array.from({ length: 100 }, (_, i) => request(`/number/${i}`)).join('')
    const { responses } = await exchange(port, bytes, { count: 100 })
    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200))
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => `GET /number/${i}`))
  })
})
