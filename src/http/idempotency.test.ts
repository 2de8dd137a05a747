import type { FastifyReply } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedAnswer } from '../kernel/idempotency.ts'
import { createLog } from '../platform/log.ts'
import { replayRepeats } from './idempotency.ts'
import { type App, createHttpServer } from './server.ts'
import { sendEvents } from './sse.ts'

const stored = new Map<string, RecordedAnswer | null>()
const store = {
  async claim(key: string) {
    const answer = stored.get(key)
    if (answer) return { kind: 'replay' as const, answer }
    stored.set(key, null)
    return { kind: 'fresh' as const }
  },
  async complete(key: string, answer: RecordedAnswer) {
    stored.set(key, answer)
  },
  async abandon(key: string) {
    stored.delete(key)
  },
}

let app: App
let done = 0
beforeAll(async () => {
  app = createHttpServer({
    logger: createLog('silent'),
    apiKey: '',
    trustProxy: false,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
  })
  replayRepeats(app, store)
  app.post('/api/v1/evaluation/run', async (request) => {
    done += 1
    return { report: 'x'.repeat((request.body as { length: number }).length) }
  })
  app.post('/api/v1/chat/stream', async (request, reply) => {
    const { events } = request.body as { events: string[] }
    async function* all() {
      done += 1
      for (const event of events) yield { event, data: { done } }
    }
    await sendEvents(reply as FastifyReply, all())
    return reply
  })
  await app.ready()
})
afterAll(() => app.close())

describe('an answer that is too large to be kept', () => {
  const post = (key: string, length: number) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/evaluation/run',
      headers: { 'idempotency-key': key },
      payload: { length },
    })

  it('is given once, and the repeat is told so without the work being done again', async () => {
    expect((await post('large', 2_000_000)).json().report).toHaveLength(2_000_000)
    const repeat = await post('large', 2_000_000)
    expect(repeat.statusCode).toBe(409)
    expect(repeat.json().detail).toContain('too large to be repeated')
    expect(done).toBe(1)
    for (const answer of stored.values()) expect(answer?.body.length).toBeLessThan(1_000)
  })

  it('begins where answers are long: shorter ones are repeated', async () => {
    const first = await post('small', 1_000_000)
    expect((await post('small', 1_000_000)).body).toBe(first.body)
    expect(done).toBe(2)
  })
})

describe('a stream of events', () => {
  const post = (key: string, events: string[]) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/chat/stream',
      headers: { 'idempotency-key': key },
      payload: { events },
    })

  it('that came to its end is repeated', async () => {
    const first = await post('whole', ['meta', 'done'])
    expect((await post('whole', ['meta', 'done'])).body).toBe(first.body)
  })

  it('that ended with an error is made anew', async () => {
    const first = await post('failed', ['meta', 'error'])
    expect((await post('failed', ['meta', 'error'])).body).not.toBe(first.body)
  })
})
