import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createHttpServer } from '../../http/server.ts'
import { createLog } from '../../platform/log.ts'
import { loadPages, webRoutes } from './index.ts'

const SCRIPT = 'export const words = 1\n'
const INDEX = '<!doctype html><script type="module" src="/assets/index-a1.js"></script>'

let folder: string
let app: App

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), INDEX)
  for (const [name, bytes] of Object.entries({
    '': SCRIPT,
    '.br': brotliCompressSync(SCRIPT),
    '.gz': gzipSync(SCRIPT),
  })) {
    writeFileSync(join(folder, `assets/index-a1.js${name}`), bytes)
  }
  writeFileSync(join(folder, '.stamp'), 'secret')
  app = await serve(folder)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

async function serve(from: string): Promise<App> {
  const server = createHttpServer({
    logger: createLog('silent'),
    apiKey: 'k'.repeat(20),
    trustProxy: false,
    headersTimeoutMs: 5_000,
    requestTimeoutMs: 5_000,
  })
  const pages = await loadPages(from)
  server.register(async (each) => webRoutes(each as App, { pages }))
  await server.ready()
  return server
}

describe('the page at /', () => {
  test('needs no key, is asked for each time, and lets nothing in from elsewhere', async () => {
    const { statusCode, headers, body } = await app.inject('/')
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: INDEX })
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(headers['content-security-policy']).not.toContain('unsafe')
  })

  test('is not sent again to those who have it, also where a proxy has marked its tag as weak', async () => {
    const { headers } = await app.inject('/')
    for (const tag of [headers.etag, `"other", W/${headers.etag}`]) {
      const again = await app.inject({ url: '/', headers: { 'if-none-match': String(tag) } })
      expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' })
    }
  })

  test('says how to get one where nothing was built', async () => {
    const empty = await serve(join(folder, 'nowhere'))
    const { statusCode, body } = await empty.inject('/')
    expect(statusCode).toBe(200)
    expect(body).toContain('npm run setup')
    await empty.close()
  })
})

describe('what the page loads', () => {
  test.each([
    ['br', 'gzip, deflate, br, zstd'],
    ['gzip', 'gzip'],
    ['gzip', 'br;q=0, gzip;q=0.5'],
    [undefined, ''],
    [undefined, 'identity'],
  ])('comes as %s to a browser that accepts "%s"', async (encoding, accepted) => {
    const response = await app.inject({ url: '/assets/index-a1.js', headers: { 'accept-encoding': accepted } })
    expect(response.headers['content-encoding']).toBe(encoding)
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
    })
    if (!encoding) expect(response.body).toBe(SCRIPT)
  })

  test('answers HEAD as GET, without the content', async () => {
    const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/assets/index-a1.js' })
    expect({ statusCode, length: headers['content-length'], body }).toEqual({
      statusCode: 200,
      length: String(SCRIPT.length),
      body: '',
    })
  })

  test.each(['assets/index-b2.js', 'assets/index-a1.js.br', 'assets/..%2F.stamp', '.stamp', 'index.html', 'assets/'])(
    'is nothing else: /%s',
    async (path) => {
      expect((await app.inject(`/${path}`)).statusCode).toBe(404)
    },
  )
})
