import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { settings } from '../../src/config.ts'
import type { App } from '../../src/http/server.ts'
import { createLog } from '../../src/platform/log.ts'
import { encodeForm, testConfig } from '../support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** What a setting's name says of its value. */
const IS_SECRET = /KEY$|SECRET$|TOKEN$|HEADERS$|WEBHOOK_URL$|DATABASE_URL$/
/** Names that only look like it. */
const NO_SECRETS = ['DINGTALK_APP_KEY']

const names = Object.keys(settings.properties).filter((name) => IS_SECRET.test(name) && !NO_SECRETS.includes(name))
const secretOf = (name: string): string => `hush-${name.toLowerCase().replaceAll('_', '-')}-0123456789`
const VALUES: Record<string, (secret: string, origin: string) => string> = {
  WECHAT_ENCODING_AES_KEY: () => 'hushWechatEncodingAesKey0123456789abcdefghi',
  OTEL_EXPORTER_OTLP_HEADERS: (secret) => `authorization=Bearer%20${secret}`,
  ALERT_WEBHOOK_URL: (secret, origin) => `${origin}/hook/${secret}`,
}

/** Answers with an error that repeats whatever it was sent, keys included, as careless endpoints do. */
const parrot = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const said = `${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(chunks).toString()}`
    response.writeHead(request.url?.includes('401') ? 401 : 500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: said }, errcode: 40_001, errmsg: said }))
  })
})

describe('with every secret set, and every endpoint failing with it in its answer', () => {
  let app: App
  let database: TestDatabase
  let secrets: string[]
  const lines: string[] = []
  const answers: string[] = []

  beforeAll(async () => {
    await new Promise<void>((resolve) => parrot.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(parrot.address() as AddressInfo).port}`
    const used = names.filter((name) => name !== 'DATABASE_URL')
    const environment = Object.fromEntries(
      used.map((name) => [name, VALUES[name]?.(secretOf(name), origin) ?? secretOf(name)]),
    )
    secrets = used.map((name) => (name === 'WECHAT_ENCODING_AES_KEY' ? (environment[name] as string) : secretOf(name)))
    database = await createTestDatabase()
    const config = testConfig({
      ...environment,
      LLM_MODEL: 'm',
      LLM_BASE_URL: `${origin}/401`,
      EMBEDDING_MODEL: 'm',
      EMBEDDING_BASE_URL: origin,
      RERANK_BASE_URL: origin,
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      WECHAT_APP_ID: 'wx0123456789abcdef',
      WECHAT_API_BASE_URL: origin,
      LOG_LEVEL: 'trace',
    })
    const log = createLog('trace', { write: (line: string) => void lines.push(line) })
    app = await createApp(config, database.db, log)
    await provoke(environment.API_KEY ?? '')
    await app.close()
  }, 120_000)
  afterAll(async () => {
    await database.close()
    await new Promise((resolve) => parrot.close(resolve))
  })

  async function provoke(apiKey: string): Promise<void> {
    const key = { 'x-api-key': apiKey, authorization: `Bearer ${apiKey}`, cookie: `session=${apiKey}` }
    const ask = async (method: 'GET' | 'POST', url: string, payload?: object, headers = {}) => {
      const response = await app.inject({
        method,
        url,
        headers: { ...key, ...headers },
        ...(payload ? { payload } : {}),
      })
      answers.push(`${response.body} ${JSON.stringify(response.headers)}`)
    }
    const { body, contentType } = encodeForm('# Returns\n\nGoods may be returned within 14 days.', 'returns.md', {})
    await ask('POST', '/api/v1/knowledge/ingest', body, { 'content-type': contentType })
    await ask('POST', '/api/v1/chat', { message: 'How long may I return goods?' })
    await ask('POST', '/api/v1/chat', { message: 'a' }, { 'x-api-key': `${apiKey}-wrong` })
    await ask('POST', `/api/v1/chat?api_key=${apiKey}`, { message: 7, key: apiKey })
    await ask('POST', '/api/v1/gateway/wechat?signature=x&timestamp=1&nonce=2')
    await ask('POST', '/api/v1/gateway/dingtalk', {}, { timestamp: String(Date.now()), sign: 'wrong' })
    for (const url of [
      'observability/health',
      'observability/circuit-breakers',
      'observability/alerts',
      'monitor/traces',
      'operations/release-checklist',
    ])
      await ask('GET', `/api/v1/${url}`)
    await ask('GET', '/openapi.json')
    await ask('GET', '/metrics')
  }

  it('logs none of them, at any level', () => {
    expect(lines.length).toBeGreaterThan(10)
    const all = lines.join('')
    expect(all).toContain('Request')
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([])
  })

  it('answers with none of them', () => {
    expect(answers.length).toBeGreaterThan(10)
    const all = answers.join('\n')
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([])
  })

  it('was tried with every one there is', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        'API_KEY',
        'LLM_API_KEY',
        'EMBEDDING_API_KEY',
        'RERANK_API_KEY',
        'WECHAT_APP_SECRET',
        'DINGTALK_APP_SECRET',
      ]),
    )
    expect(secrets).toHaveLength(names.length - 1)
  })
})

it('a database that cannot be reached is named without its password', async () => {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: 'postgres://user:hush-password@127.0.0.1:1/shop',
    LOG_LEVEL: 'trace',
  }
  const main = new URL('../../src/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main], { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code).toBe(1)
  expect(said).not.toContain('hush')
  expect(said).not.toBe('')
})
