import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Type } from 'typebox'
import { open } from '../../src/http/auth.ts'
import { type App, createHttpServer } from '../../src/http/server.ts'

/** Callers who hold connections as long as they are let: they never finish what they begin. */
const BEGINNINGS = [
  // Says nothing.
  '',
  // Never ends its headers.
  'POST /echo HTTP/1.1\r\nhost: x\r\nx-a: ',
  // Never ends its body.
  'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{',
  // Never ends a chunk.
  'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a',
] as const

/** The system holds some hundred that wait to be taken; more at once never arrive, though their callers think so. */
const WAVE = 100

export interface SlowRun {
  /** Connections that the server ended. */
  closed: number
  /** Statuses that ordinary callers got meanwhile, each on a connection of its own. */
  served: number[]
}

/** A server with the given limits, `count` slow callers, and ordinary ones until the last slow one is gone. */
export async function meetSlowCallers(
  count: number,
  limits: { headersTimeoutMs: number; requestTimeoutMs: number },
): Promise<SlowRun> {
  const app = createHttpServer({ logger: pino({ level: 'silent' }), apiKey: '', trustProxy: false, ...limits })
  app.post('/echo', { config: open, schema: { body: Type.Object({}) } }, async () => ({ done: true }))
  app.get('/quick', { config: open }, async () => ({ done: true }))
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const quick = async () => (await fetch(`${origin}/quick`, { headers: { connection: 'close' } })).status
  const callers: ReturnType<typeof slowCaller>[] = []
  while (callers.length < count) {
    const wave = Array.from({ length: Math.min(WAVE, count - callers.length) }, (_, i) => {
      return slowCaller(Number(new URL(origin).port), callers.length + i)
    })
    callers.push(...wave)
    await Promise.all(wave.map(({ connected }) => connected))
    // Connections are taken in their order: once a later one is served, all of the wave are there.
    await quick()
  }
  let closed = 0
  const allClosed = Promise.all(callers.map(({ ended }) => ended.then(() => closed++))).then(() => true)
  const served: number[] = []
  const isOver = (): Promise<boolean> => Promise.race([allClosed, sleep(20, false)])
  do served.push(await quick())
  while (!(await isOver()))
  // The server learns of an end a moment after the caller; one that it kept would hold the test up.
  while ((await connectionsOf(app)) > 0) await sleep(10)
  await app.close()
  return { closed, served }
}

/** Writes a byte from time to time, so that it is slow and not silent. */
function slowCaller(port: number, index: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  const beginning = BEGINNINGS[index % BEGINNINGS.length] as string
  const drip = setInterval(() => void (beginning !== '' && socket.writable && socket.write(' ')), 100)
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve())).finally(() => clearInterval(drip))
  const connected = once(socket, 'connect').then(() => void (beginning !== '' && socket.write(beginning)))
  return { connected, ended }
}

function connectionsOf(app: App): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
