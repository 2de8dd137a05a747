import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseSeed, randomFrom } from '../contract/support/random.ts'
import { fillPath, isKeyed, isStream, type KnownRoute, routesOf } from '../contract/support/routes.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Hundreds of things that are nearly the key, on every route that asks for it; and ways around a route that does. */

const KEY = 'Correct-Horse-7_battery'
const REFUSAL = '{"detail":"Invalid or missing API key"}'

let test: TestApp
let routes: KnownRoute[]
beforeAll(async () => {
  test = await createTestApp({ API_KEY: KEY })
  routes = routesOf(test.app).filter((route) => isKeyed(route) && route.method !== 'HEAD')
})
afterAll(() => test.close())

type Headers = Record<string, string>

/** Values of the header itself. What HTTP trims from around a value is not here: it is the key. */
function nearlyTheKey(seed: number): string[] {
  const random = randomFrom(seed)
  const at = (): number => Math.floor(random() * KEY.length)
  const flipped = Array.from({ length: 40 }, () => {
    const index = at()
    const other = String.fromCharCode(KEY.charCodeAt(index) ^ (1 << Math.floor(random() * 5)))
    return `${KEY.slice(0, index)}${other}${KEY.slice(index + 1)}`
  })
  const cut = Array.from({ length: KEY.length }, (_, length) => KEY.slice(0, length))
  const without = Array.from(KEY, (_, index) => KEY.slice(0, index) + KEY.slice(index + 1))
  return [
    ...flipped,
    ...cut,
    ...without,
    ...[KEY.toUpperCase(), KEY.toLowerCase(), KEY.split('').reverse().join(''), KEY + KEY, `${KEY}\t${KEY}`],
    ...[`"${KEY}"`, `'${KEY}'`, `<${KEY}>`, `{${KEY}}`, `[${KEY}]`, `(${KEY})`, `Bearer ${KEY}`, `Basic ${KEY}`],
    ...[`${KEY},`, `,${KEY}`, `${KEY};`, `${KEY}, ${KEY}`, `${KEY};v=1`, `x, ${KEY}`, `${KEY}#`, `${KEY}?`, `${KEY}&`],
    ...[Buffer.from(KEY).toString('base64'), Buffer.from(KEY).toString('hex'), encodeURIComponent(`${KEY} `)],
    ...[
      KEY.replace('-', '%2D'),
      KEY.replace('-', '\u00ad'),
      KEY.replace('o', '\u00f6'),
      `${KEY}\u00a0`,
      `\u00a0${KEY}`,
    ],
    ...['*', '.*', '%', '_', 'null', 'undefined', 'true', '0', '{}', '[]', `' or '1'='1`, '$KEY', 'API_KEY'],
  ].filter((value) => value !== KEY)
}

/** The right key in the wrong place. */
const ELSEWHERE: [string, Headers, string?][] = [
  ['Authorization', { authorization: `Bearer ${KEY}` }],
  ['a cookie', { cookie: `X-API-Key=${KEY}; api_key=${KEY}` }],
  ['the query', {}, `?api_key=${KEY}&x-api-key=${KEY}&X-API-Key=${KEY}&key=${KEY}`],
  [
    'names that are nearly it',
    { 'x-apikey': KEY, 'api-key': KEY, x_api_key: KEY, 'x-api-key-': KEY, 'x-api-keys': KEY },
  ],
  ['a method that it overrides', { 'x-http-method-override': 'GET', 'x-method-override': 'GET' }],
  [
    'an address that is trusted',
    { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
  ],
  ['a path that is open', { 'x-original-url': '/api/v1/health', 'x-rewrite-url': '/api/v1/health' }],
  ['a host that is trusted', { host: 'localhost', 'x-forwarded-host': 'localhost', origin: 'http://localhost' }],
  [
    'a debugger',
    { 'x-debug': '1', 'x-internal': '1', 'x-admin': 'true', 'x-user-id': 'admin', 'x-caller-trusted': '1' },
  ],
]

const ask = async ({ method }: KnownRoute, url: string, headers: Headers) => {
  const { statusCode, body } = await test.app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(method === 'GET' ? {} : { payload: {} }),
  })
  return { status: statusCode, body }
}
const isRefused = ({ status, body }: { status: number; body: string }): boolean => status === 401 && body === REFUSAL

describe('a keyed route', () => {
  it('takes no key that is nearly the right one', async () => {
    const seed = chooseSeed()
    console.info(`Keys made with TEST_SEED=${seed}`)
    const keys = nearlyTheKey(seed)
    expect(keys.length).toBeGreaterThan(120)
    const taken: string[] = []
    for (const [index, key] of keys.entries()) {
      // Each key on some routes, and every route with some keys: all with all takes minutes and shows no more.
      for (const route of routes.filter((_, number) => (number + index) % 8 === 0)) {
        if (!isRefused(await ask(route, fillPath(route), { 'x-api-key': key }))) taken.push(`${key} ${route.path}`)
      }
    }
    expect(taken).toEqual([])
  })

  it.each(ELSEWHERE)('takes no key from elsewhere: %s', async (_, headers, query = '') => {
    const taken: string[] = []
    // Programs that speak MCP can send nothing else.
    const others = routes.filter(({ path }) => !('authorization' in headers && path === '/mcp'))
    for (const route of others) {
      if (!isRefused(await ask(route, fillPath(route) + query, headers))) taken.push(`${route.method} ${route.path}`)
    }
    expect(taken).toEqual([])
  })

  it('takes the right one', async () => {
    const refused: string[] = []
    for (const route of routes.filter((each) => each.method === 'GET' && !isStream(test.app, each))) {
      const { status } = await ask(route, fillPath(route), { 'x-api-key': KEY })
      if (status === 401) refused.push(route.path)
    }
    expect(refused).toEqual([])
  })

  it('is reached by no other way of writing its path', async () => {
    const reached: string[] = []
    for (const route of routes) {
      const path = fillPath(route)
      const last = path.split('/').at(-1) ?? ''
      const ways = [
        `${path}/`,
        `/${path}`,
        path.toUpperCase(),
        path.replace('/api/', '/./api/'),
        path.replace('/api/v1/', '/api/v1/health/../'),
        path.replace('/api/v1/', '/api/v1/health%2f..%2f'),
        path.replace('/api/v1/', '/api/v1/health;/../'),
        path.replace('/api/v1/', '/api/v1//'),
        path.replace('/api/v1/', '/api\\v1\\'),
        path.replace('/api/v1/', '/api/v1/%2e/'),
        path.replace('/v1/', '/v1;x=1/'),
        `${path};x=1`,
        `${path}%00`,
        `${path}%20`,
        `${path}.json`,
        path.slice(0, -last.length) + encodeAll(last),
        `${path}?/api/v1/health`,
        `${path}#/api/v1/health`,
      ]
      for (const url of ways) {
        const { status } = await ask(route, url, {})
        if (status < 400) reached.push(`${route.method} ${url}: ${status}`)
      }
    }
    expect(reached).toEqual([])
  })
})

const encodeAll = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
