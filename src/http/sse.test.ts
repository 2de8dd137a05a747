import type { FastifyReply } from 'fastify'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { type App, createHttpServer } from './server.ts'
import { clientSignal, encodeEvent, type SseEvent, sendEvents } from './sse.ts'

const apps: App[] = []
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

/** A server whose `/events` sends what `events` yields, until its signal says that the client left. */
async function serve(events: (signal: AbortSignal) => AsyncIterable<SseEvent>): Promise<string> {
  const logger = pino({ level: 'silent' })
  const limits = { headersTimeoutMs: 5_000, requestTimeoutMs: 5_000, drainTimeoutMs: 50 }
  const app = createHttpServer({ logger, apiKey: '', trustProxy: false, ...limits })
  apps.push(app)
  app.route({
    method: ['GET', 'POST'],
    url: '/events',
    async handler(_request, reply) {
      await sendEvents(reply as FastifyReply, events(clientSignal(reply as FastifyReply)))
      return reply
    },
  })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

describe('encodeEvent', () => {
  it('is one line of data, whatever the data holds', () => {
    expect(encodeEvent({ event: 'token', data: { content: 'a\n\r\nb\u2028' } })).toBe(
      'event: token\ndata: {"content":"a\\n\\r\\nb\u2028"}\n\n',
    )
    expect(encodeEvent({ event: 'x', data: null, id: '7' })).toBe('id: 7\nevent: x\ndata: null\n\n')
  })
})

describe('sendEvents', () => {
  it('sends what comes, in order, with the headers of a stream and the security headers', async () => {
    const origin = await serve(async function* () {
      yield { event: 'meta', data: 1 }
      yield { event: 'done', data: 2 }
    })
    const response = await fetch(`${origin}/events`)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-request-id')).toMatch(/\S/)
    expect(await response.text()).toBe('event: meta\ndata: 1\n\nevent: done\ndata: 2\n\n')
  })

  it('tells the source when the client leaves', async () => {
    const stopped = Promise.withResolvers<unknown>()
    const origin = await serve(async function* (signal) {
      signal.addEventListener('abort', () => stopped.resolve(signal.reason))
      yield { event: 'meta', data: 1 }
      await stopped.promise
    })
    const leaving = new AbortController()
    const response = await fetch(`${origin}/events`, { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
    expect(await stopped.promise).toMatchObject({ message: 'The client left' })
  })

  it('ends at once when only the headers are asked for', async () => {
    const origin = await serve(async function* () {
      await new Promise(() => {})
      yield { event: 'never', data: 0 }
    })
    const response = await fetch(`${origin}/events`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  })

  describe('when the server closes', () => {
    async function textAfterClose(path: string, method: string): Promise<string> {
      const begun = Promise.withResolvers<void>()
      const origin = await serve(async function* (signal) {
        yield { event: 'meta', data: 1 }
        begun.resolve()
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      })
      const response = await fetch(`${origin}${path}`, { method })
      await begun.promise
      await apps[0]?.close()
      return response.text()
    }

    it('ends what goes on for ever with an event that says when to come again', async () => {
      expect(await textAfterClose('/events', 'GET')).toBe(
        'event: meta\ndata: 1\n\nevent: closing\ndata: {"retry_after_seconds":2}\n\n',
      )
    })

    it('ends a reply that has not come to its end with an error', async () => {
      expect(await textAfterClose('/events', 'POST')).toContain('event: error\ndata: {"message":')
    })
  })
})
