import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { startStubServer } from '../../../../test/support/stub-server.ts'
import { createBreaker } from '../../../platform/breaker.ts'
import type { AlertMessage } from './alerts.ts'
import { createWebhook, type WebhookOptions } from './webhook.ts'

const at = new Date('2026-01-01T00:00:00Z')
const message = (message: string): AlertMessage => ({
  event: 'raised',
  alert: {
    alertId: 'alert_1',
    level: 'error',
    source: 'circuit_breaker',
    message,
    details: { breaker: 'llm' },
    fingerprint: 'breaker:llm',
    count: 1,
    createdAt: at,
    lastSeenAt: at,
    resolvedAt: null,
    acknowledged: null,
    silenced: null,
  },
})

/** Answers with the given statuses in turn, then always with 204. */
async function setUp(statuses: number[], options: Partial<WebhookOptions> = {}) {
  const received: unknown[] = []
  let arrived = (): void => {}
  const server = await startStubServer(({ body }) => {
    received.push(JSON.parse(body.toString()))
    setImmediate(() => arrived())
    return { status: statuses.shift() ?? 204, body: '' }
  })
  const breaker = createBreaker({
    name: 'alert_webhook',
    failureThreshold: 3,
    recoveryTimeoutMs: 60_000,
    clock: createManualClock(),
  })
  const warnings: string[] = []
  const log = { warn: (_details: object, text: string) => void warnings.push(text) }
  const webhook = createWebhook({ url: `${server.origin}/alerts`, breaker, pauseMs: 1, log, ...options })
  const waitFor = async (count: number) => {
    while (received.length < count) {
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    }
  }
  const close = async () => {
    await webhook.close()
    await server.close()
  }
  return { webhook, received, waitFor, close, breaker, warnings }
}

describe('the alert webhook', () => {
  it('posts what happened, in order', async () => {
    const { webhook, received, waitFor, close } = await setUp([])
    webhook.send(message('first'))
    webhook.send({ ...message('second'), event: 'resolved' })
    await waitFor(2)
    expect(received).toMatchObject([
      { event: 'raised', alert: { alert_id: 'alert_1', message: 'first', created_at: at.toISOString() } },
      { event: 'resolved', alert: { message: 'second' } },
    ])
    await close()
  })

  it('tries again what was refused, before the next one', async () => {
    const { webhook, received, waitFor, close } = await setUp([500, 429])
    webhook.send(message('first'))
    webhook.send(message('second'))
    await waitFor(4)
    const texts = received.map((each) => (each as { alert: { message: string } }).alert.message)
    expect(texts).toEqual(['first', 'first', 'first', 'second'])
    await close()
  })

  it('gives up in the end, and its breaker opens', async () => {
    const { webhook, received, waitFor, close, breaker, warnings } = await setUp([500, 500, 500, 500])
    webhook.send(message('first'))
    await waitFor(3)
    while (warnings.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(breaker.state()).toBe('OPEN')
    expect(received).toHaveLength(3)
    await close()
  })

  it('holds no more than it may while one is slow, and lets itself be closed', async () => {
    const untilAborted: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const { webhook, close, warnings } = await setUp([], { fetch: untilAborted, timeoutMs: 3_600_000 })
    for (let i = 0; i < 103; i++) webhook.send(message(`alert ${i}`))
    expect(warnings).toEqual(Array(3).fill('Too many alerts wait for the webhook'))
    await close()
  })
})

describe('a webhook that misbehaves', () => {
  type Misdeed = (socket: Socket) => void
  const WAYS: [name: string, misdeed: Misdeed][] = [
    ['cuts the connection at once', (socket) => socket.destroy()],
    ['cuts it within the answer', (socket) => socket.end('HTTP/1.1 204 No Con')],
    ['answers what is no HTTP', (socket) => socket.end('\u0000thank you\r\n\r\n')],
    ['says nothing', () => {}],
    [
      'sends it on to this network',
      (socket) => socket.end('HTTP/1.1 307 Later\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'),
    ],
  ]

  it.each(WAYS)('gets the alert again until it takes it: %s', async (_, misdeed) => {
    let requests = 0
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        requests += 1
        if (requests <= 2) misdeed(socket)
        else socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const breaker = createBreaker({
      name: 'alert_webhook',
      failureThreshold: 5,
      recoveryTimeoutMs: 60_000,
      clock: createManualClock(),
    })
    const warnings: string[] = []
    const log = { warn: (_details: object, text: string) => void warnings.push(text) }
    const url = `http://127.0.0.1:${port}/alerts`
    const webhook = createWebhook({ url, breaker, pauseMs: 1, timeoutMs: 300, log })
    webhook.send(message('first'))
    await expect.poll(() => breaker.stats().success_count, { timeout: 30_000 }).toBe(1)
    expect([requests, warnings]).toEqual([3, []])
    await webhook.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('does not hold the alert up with an answer that has no end', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
        const more = setInterval(() => socket.write('4\r\nmore\r\n'), 1)
        socket.once('close', () => clearInterval(more))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const breaker = createBreaker({
      name: 'alert_webhook',
      failureThreshold: 1,
      recoveryTimeoutMs: 60_000,
      clock: createManualClock(),
    })
    const webhook = createWebhook({ url: `http://127.0.0.1:${port}/`, breaker, log: { warn: () => {} } })
    webhook.send(message('first'))
    webhook.send(message('second'))
    await expect.poll(() => breaker.stats().success_count, { timeout: 30_000 }).toBe(2)
    await webhook.close()
    await new Promise((resolve) => server.close(resolve))
  })
})
