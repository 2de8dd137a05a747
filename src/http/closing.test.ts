import { connect, Socket } from 'node:net'
import { pino } from 'pino'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { drainLimitMs } from './closing.ts'
import { createHttpServer } from './server.ts'

/** A server whose `/slow` answers when told to. */
async function createServer(drainTimeoutMs: number) {
  const logger = pino({ level: 'silent' })
  const limits = { headersTimeoutMs: 60_000, requestTimeoutMs: 60_000, drainTimeoutMs }
  const app = createHttpServer({ logger, apiKey: '', trustProxy: false, ...limits })
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    started.resolve()
    await release.promise
    return { done: true }
  })
  app.get('/quick', async () => ({ done: true }))
  app.post('/upload', { schema: { body: Type.Object({}) } }, async () => ({ done: true }))
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, origin, port: Number(new URL(origin).port), started: started.promise, release: () => release.resolve() }
}

it('finishes running requests and refuses new ones in form', async () => {
  const { app, origin, started, release } = await createServer(60_000)
  const running = fetch(`${origin}/slow`)
  await started
  const closed = app.close()
  const refused = await fetch(`${origin}/quick`)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(refused.headers.get('connection')).toBe('close')
  expect(await refused.json()).toEqual({ detail: 'The service is shutting down' })
  release()
  const finished = await running
  expect(finished.headers.get('connection')).toBe('close')
  expect(await finished.json()).toEqual({ done: true })
  await closed
})

it('does not wait for callers who never finish', async () => {
  const { app, port } = await createServer(50)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('POST /upload HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{')
  const silent = connect(port, '127.0.0.1')
  silent.on('error', () => {})
  await Promise.all([socket, silent].map((each) => new Promise((resolve) => each.once('connect', resolve))))
  await expect(app.close()).resolves.toBeUndefined()
})

it('keeps a part of the time for what comes after the requests, however short it is', () => {
  expect([500, 4_000, 8_000, 60_000].map(drainLimitMs)).toEqual([250, 2_000, 5_000, 57_000])
})

it('ends at once whoever is accepted when all others have gone: Node waits for a connection that asks for nothing', async () => {
  const { app } = await createServer(50)
  await app.close()
  const late = new Socket()
  app.server.emit('connection', late)
  expect(late.destroyed).toBe(true)
})
