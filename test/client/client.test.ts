import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Client,
  createClient,
  FrontdeskError,
  getAttachment,
  listAgentSessions,
  pages,
  stream,
  streamAnswer,
} from '../../clients/typescript/src/index.ts'

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void

let answers: Answer[]
let asked: { line: string; headers: IncomingMessage['headers']; body: string }[]
let desk: Client
let origin: string

/** Answers each request as the test's list says, its last one again and again. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  answer?.(response, request, body)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked = []
  desk = createClient({ baseUrl: `${origin}/`, apiKey: 'secret' })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const json =
  (body: unknown, status = 200, headers = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const busy = json({ detail: 'Too many requests' }, 429, { 'retry-after': '0' })
/** Events as the service writes them; `cut` breaks the connection off behind them. */
const events =
  (text: string, cut = false): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text, () => (cut ? response.destroy() : response.end()))
  }
const event = (name: string, data: object, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

describe('a request', () => {
  it('has path, query, key and body where they belong', async () => {
    answers = [json({})]
    await listAgentSessions(desk, { query: { q: 'a b&c', status: undefined, unread: true } })
    await desk.request('POST /api/v1/agent/sessions/{session_id}/accept', {
      path: { session_id: 'a/b?c d' },
      body: { agent_id: 'ann' },
      idempotencyKey: 'once',
    })
    expect(asked.map(({ line, body }) => [line, body])).toEqual([
      ['GET /api/v1/agent/sessions?q=a+b%26c&unread=true', ''],
      ['POST /api/v1/agent/sessions/a%2Fb%3Fc%20d/accept', '{"agent_id":"ann"}'],
    ])
    expect(asked[1]?.headers).toMatchObject({
      'x-api-key': 'secret',
      'content-type': 'application/json',
      'idempotency-key': 'once',
    })
  })

  it.each(['', '.', '..'])('goes nowhere else for an id that is %j', async (id) => {
    answers = [json({})]
    const path = { session_id: id }
    await expect(desk.request('GET /api/v1/agent/sessions/{session_id}', { path })).rejects.toThrow(RangeError)
    expect(asked).toEqual([])
  })

  it('carries the token of the moment', async () => {
    answers = [json({})]
    const widget = createClient({ baseUrl: origin, token: () => `token-${asked.length}` })
    await widget.request('GET /api/v1/widget/state')
    await widget.request('GET /api/v1/widget/state')
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-0', 'Bearer token-1'])
    expect(asked[0]?.headers['x-api-key']).toBeUndefined()
  })

  it('takes its key nowhere else', async () => {
    const elsewhere = (response: ServerResponse) => void response.writeHead(307, { location: '/elsewhere' }).end()
    answers = [elsewhere, json({})]
    const hasty = createClient({ baseUrl: origin, apiKey: 'secret', retries: 0 })
    await expect(hasty.request('GET /api/v1/settings')).rejects.toThrow(TypeError)
    expect(asked.map(({ line }) => line)).toEqual(['GET /api/v1/settings'])
  })

  it('sends files behind the other fields of a form', async () => {
    answers = [json({})]
    const file = { content: new Blob(['# Hours']), name: 'hours.md' }
    await desk.request('POST /api/v1/knowledge/ingest', { form: { file, register: true, url: undefined } })
    const [{ body = '', headers = {} } = {}] = asked
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(body).toMatch(/name="register"\r\n\r\ntrue\r\n[\s\S]*filename="hours\.md"[\s\S]*# Hours/)
    expect(body).not.toContain('"url"')
  })

  it('gives files as they are and nothing where nothing came', async () => {
    answers = [
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a": 1}'),
      (response) => void response.writeHead(204).end(),
    ]
    const path = { attachment_id: 'a' }
    const blob = await getAttachment(desk, { path, query: { token: 't' } })
    expect(await blob.text()).toBe('{"a": 1}')
    expect(await desk.request('POST /api/v1/widget/typing')).toBeUndefined()
  })
})

describe('errors', () => {
  it('say status, detail, request and when to come again', async () => {
    answers = [json({ detail: 'message: is required' }, 422, { 'x-request-id': 'r-1' })]
    const error = await desk.request('GET /api/v1/settings').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(FrontdeskError)
    expect(error).toMatchObject({ status: 422, detail: 'message: is required', requestId: 'r-1', retryAfter: null })
    expect(String(error)).toBe('FrontdeskError: 422: message: is required')
  })

  it('of something in between keep its words', async () => {
    answers = [(response) => void response.writeHead(502, { 'retry-after': '7' }).end('<h1>Bad gateway</h1>')]
    await expect(desk.request('GET /api/v1/settings')).rejects.toMatchObject({
      status: 502,
      detail: '<h1>Bad gateway</h1>',
      retryAfter: 7,
    })
  })

  it('that pass are passed, for what changes nothing or is done once', async () => {
    answers = [busy, busy, json({ ok: true })]
    expect(await desk.request('GET /api/v1/settings')).toEqual({ ok: true })
    answers = [busy, json({ ok: true })]
    const body = { message: 'Hello' }
    expect(await desk.request('POST /api/v1/chat', { body, idempotencyKey: 'k' })).toEqual({ ok: true })
    expect(asked).toHaveLength(5)
  })

  it('end it all the same: after the last try, of a change, and where the wait would be long', async () => {
    answers = [busy]
    await expect(desk.request('GET /api/v1/settings')).rejects.toMatchObject({ status: 429, retryAfter: 0 })
    expect(asked).toHaveLength(3)
    await expect(desk.request('POST /api/v1/chat', { body: { message: 'Hello' } })).rejects.toThrow('429')
    expect(asked).toHaveLength(4)
    answers = [json({ detail: 'Closed' }, 503, { 'retry-after': '3600' })]
    await expect(desk.request('GET /api/v1/settings')).rejects.toThrow('Closed')
    expect(asked).toHaveLength(5)
  })

  it('of a signal are its own, also while it waits for another try', async () => {
    answers = [json({ detail: 'Later' }, 503, { 'retry-after': '50' })]
    const leaving = new AbortController()
    const waiting = desk.request('GET /api/v1/settings', { signal: leaving.signal })
    setTimeout(() => leaving.abort(new Error('left')), 20)
    await expect(waiting).rejects.toThrow('left')
  })
})

describe('pages of a list', () => {
  it('come until there is no next one, with the filters of the first', async () => {
    answers = [
      json({ sessions: [1], next_before: 'c1' }),
      json({ sessions: [2], next_before: 'c2' }),
      json({ sessions: [], next_before: null }),
    ]
    const found: unknown[] = []
    for await (const page of pages(desk, 'GET /api/v1/agent/sessions', { query: { q: 'oil' } })) {
      found.push(...page.sessions)
    }
    expect(found).toEqual([1, 2])
    expect(asked.map(({ line }) => line.split('?')[1])).toEqual(['q=oil', 'q=oil&before=c1', 'q=oil&before=c2'])
  })

  it('go by the name that the list has for its cursor', async () => {
    answers = [json({ items: [], next_after: 49 }), json({ items: [], next_after: null })]
    const path = { doc_id: 'd', version: 1 } as never
    for await (const _ of pages(desk, 'GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/chunks', { path })) {
    }
    expect(asked[1]?.line).toMatch(/\?after=49$/)
  })
})

describe('a reply as it is written', () => {
  const input = { body: { message: 'Hello' } }

  it('is its events, however the network cuts them', async () => {
    const bytes = Buffer.from(
      `: heartbeat\r\n\r\n${event('token', { content: '你好' })}${event('done', { answer: '你好' })}`,
    )
    answers = [
      async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const byte of bytes) {
          response.write(Buffer.of(byte))
          await new Promise(setImmediate)
        }
        response.end()
      },
    ]
    const found = []
    for await (const each of streamAnswer(desk, input)) found.push([each.event, each.data])
    expect(found).toEqual([
      ['token', { content: '你好' }],
      ['done', { answer: '你好' }],
    ])
  })

  it('is an error when it breaks off, and never asked for twice', async () => {
    const read = async () => {
      for await (const _ of streamAnswer(desk, input)) {
      }
    }
    answers = [events(event('token', { content: 'We' }))]
    await expect(read()).rejects.toMatchObject({ status: 0, detail: 'The reply broke off' })
    answers = [events(event('token', { content: 'We' }), true)]
    await expect(read()).rejects.toThrow()
    answers = [json({ detail: 'message: is required' }, 422)]
    await expect(read()).rejects.toMatchObject({ status: 422 })
    expect(asked).toHaveLength(3)
  })

  it('stops when the loop is left', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>()
    answers = [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event('token', { content: 'We' }))
        response.once('close', resolve)
      },
    ]
    for await (const _ of streamAnswer(desk, input)) break
    await left
  })
})

describe('events that go on', () => {
  const path = { session_id: 's' }
  const follow = (signal?: AbortSignal) =>
    stream(desk, 'GET /api/v1/chat/sessions/{session_id}/events', { path, signal })

  it('go on behind a break and a farewell, from the last id', async () => {
    answers = [
      events(event('message', { content: 'one' }, 7) + event('typing', {}), true),
      events(event('message', { content: 'two' }, 8) + event('closing', { retry_after_seconds: 0 })),
      json({ detail: 'Starting' }, 503, { 'retry-after': '0' }),
      events(event('resolved', { content: '' }, 9)),
    ]
    const found: string[] = []
    for await (const each of follow()) {
      found.push(each.event)
      if (each.event === 'resolved') break
    }
    expect(found).toEqual(['message', 'typing', 'message', 'closing', 'resolved'])
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7', '8', '8'])
  })

  it('end with the run that they are of', async () => {
    answers = [events(event('progress', {}) + event('finished', {}))]
    const found: string[] = []
    for await (const { event: name } of stream(desk, 'GET /api/v1/mining/runs/{run_id}/events', {
      path: { run_id: 'r' },
    })) {
      found.push(name)
    }
    expect(found).toEqual(['progress', 'finished'])
    expect(asked).toHaveLength(1)
  })

  it('end with a refusal: at once, and also of a later connection', async () => {
    const read = async () => {
      for await (const _ of follow()) {
      }
    }
    answers = [json({ detail: 'Not found' }, 404)]
    await expect(read()).rejects.toMatchObject({ status: 404 })
    answers = [events(event('closing', { retry_after_seconds: 0 })), json({ detail: 'Key revoked' }, 401)]
    await expect(read()).rejects.toMatchObject({ status: 401 })
  })

  it('end when the signal says so, also between two connections', async () => {
    answers = [events(event('closing', { retry_after_seconds: 3600 }))]
    const leaving = new AbortController()
    const read = async () => {
      for await (const _ of follow(leaving.signal)) setTimeout(() => leaving.abort(new Error('left')), 20)
    }
    await expect(read()).rejects.toThrow('left')
  })
})
