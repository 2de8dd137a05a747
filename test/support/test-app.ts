import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { createApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { App } from '../../src/http/server.ts'
import { createLog } from '../../src/platform/log.ts'
import type { Database } from '../../src/platform/postgres/index.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export interface TestApp {
  app: App
  db: Database
  database: TestDatabase
  /** Parsed answer of a request without a network. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  upload(content: string | Uint8Array, fileName: string, fields?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

export interface Answer {
  status: number
  headers: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever body came back
  body: any
}

/** Settings as names and texts of the environment, e.g. `{ API_KEY: 'secret' }`. */
export function testConfig(environment: Record<string, string> = {}): Config {
  return readConfig({}, { LOG_LEVEL: 'silent', ...environment }, '/nonexistent')
}

/** The whole program on a database of its own, without a port. Close it in `afterAll`. */
export async function createTestApp(environment: Record<string, string> = {}): Promise<TestApp> {
  const config = testConfig(environment)
  const database = await createTestDatabase()
  const app = await createApp(config, database.db, createLog(config.LOG_LEVEL))
  holdToDescription(app)
  await app.ready()
  const key: Record<string, string> = config.API_KEY === '' ? {} : { 'x-api-key': config.API_KEY }
  const call: TestApp['call'] = async (method, url, body, headers = {}) => {
    const payload = body === undefined ? {} : { payload: body as object }
    const response = await app.inject({ method, url, headers: { ...key, ...headers }, ...payload })
    return { status: response.statusCode, headers: response.headers, body: parse(response.body) }
  }
  return {
    app,
    db: database.db,
    database,
    call,
    upload(content, fileName, fields = {}) {
      const { body, contentType } = encodeForm(content, fileName, fields)
      return call('POST', '/api/v1/knowledge/ingest', body, { 'content-type': contentType })
    },
    async close() {
      await app.close()
      await database.close()
    },
  }
}

/** Makes an answer that is not as the API description says an error, so that every test is one of the description, too. */
function holdToDescription(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const responses = (request.routeOptions.schema?.response ?? {}) as Record<string, TSchema>
    const schema = responses[reply.statusCode]
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    if (!schema || !isJson || typeof payload !== 'string' || request.method === 'HEAD') return done(null, payload)
    const [error] = Value.Errors(schema, JSON.parse(payload))
    if (error) done(new Error(`${request.method} ${request.url}: ${error.instancePath} ${error.message}`))
    else done(null, payload)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A multipart form with one file. */
export function encodeForm(content: string | Uint8Array, fileName: string, fields: Record<string, string>) {
  const boundary = '----frontdesk-test-boundary'
  const parts: Uint8Array[] = []
  const add = (text: string): void => void parts.push(Buffer.from(text))
  for (const [name, value] of Object.entries(fields)) {
    add(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  }
  add(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`)
  parts.push(typeof content === 'string' ? Buffer.from(content) : content)
  add(`\r\n--${boundary}--\r\n`)
  return { body: Buffer.concat(parts), contentType: `multipart/form-data; boundary=${boundary}` }
}
