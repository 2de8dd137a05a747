import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { startStubServer } from '../../../test/support/stub-server.ts'
import { createBreaker } from '../../platform/breaker.ts'
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
