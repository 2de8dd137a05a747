import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withLogContext } from '../kernel/log-context.ts'
import { createLog } from '../platform/log.ts'
import { open } from './auth.ts'
import { type App, createHttpServer } from './server.ts'

const lines: Record<string, unknown>[] = []
const log = createLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
let app: App
let origin: string

beforeAll(async () => {
  app = createHttpServer({
    logger: log,
    apiKey: '',
    trustProxy: false,
    headersTimeoutMs: 1_000,
    requestTimeoutMs: 1_000,
  })
  const schema = { body: Type.Object({ session: Type.String(), waitMs: Type.Integer() }) }
  app.post('/planted', { schema, config: open }, async ({ body, log: ofRequest }) => {
    const { session, waitMs } = body
    log.info({ session }, 'before')
    await withLogContext({ sessionId: session }, async () => {
      await sleep(waitMs)
      await withLogContext({ traceId: `trace of ${session}` }, async () => log.info({ session }, 'within'))
    })
    ofRequest.info({ session }, 'after')
    if (waitMs === 3) throw new Error('planted')
    return {}
  })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

describe('the log', () => {
  it('tells requests that run at the same time apart, also on one connection after the other', async () => {
    const sent = Array.from({ length: 60 }, (_, index) => ({ id: `request-${index}`, session: `s-${index}`, index }))
    await Promise.all(
      sent.map(({ id, session, index }) =>
        fetch(`${origin}/planted`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-request-id': id },
          body: JSON.stringify({ session, waitMs: index % 7 }),
        }).then((response) => response.text()),
      ),
    )
    for (const { id, session, index } of sent) {
      const own = lines.filter((line) => line.reqId === id || line.session === session)
      expect(own.every((line) => line.reqId === id)).toBe(true)
      expect(own.map(({ msg, sessionId, traceId }) => ({ msg, sessionId, traceId }))).toEqual([
        { msg: 'before' },
        { msg: 'within', sessionId: session, traceId: `trace of ${session}` },
        { msg: 'after' },
        ...(index % 7 === 3 ? [{ msg: 'Request failed' }] : []),
        { msg: 'Request' },
      ])
    }
  })

  it('names no request where none is served', () => {
    log.info('elsewhere')
    expect(lines.at(-1)).toEqual({ level: 'info', time: expect.any(String), msg: 'elsewhere' })
  })
})
