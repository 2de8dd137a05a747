import pLimit from 'p-limit'
import { backoffMs, sleep } from '../../../ai/outbound.ts'
import type { Log } from '../../../kernel/log.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import type { Breaker } from '../../../platform/breaker.ts'
import type { AlertMessage } from './alerts.ts'

export interface WebhookOptions {
  url: string
  breaker: Breaker
  /** One request, in milliseconds. Default 5,000. */
  timeoutMs?: number
  /** Further requests after a failed one. Default 3. */
  retries?: number
  /** Pause before the first retry, in milliseconds; doubles each time. Default 1,000. */
  pauseMs?: number
  log: Log
  fetch?: typeof globalThis.fetch
}

export interface Webhook {
  /** Sends in the background, one after the other; never throws. */
  send(message: AlertMessage): void
  /** Gives up what still waits to be sent. */
  close(): Promise<void>
}

const MAX_WAITING = 100

/** Posts `{event: raised | resolved, alert}` as JSON; whoever answers other than 2xx is asked again. */
export function createWebhook(options: WebhookOptions): Webhook {
  const { retries = 3, pauseMs = 1_000, log } = options
  const closing = new AbortController()
  let waiting = 0
  const inTurn = pLimit(1)

  async function deliver(message: AlertMessage): Promise<void> {
    for (let attempt = 0; !closing.signal.aborted; attempt++) {
      try {
        return await post(options, message, closing.signal)
      } catch (error) {
        if (closing.signal.aborted) return
        if (attempt >= retries) return log.warn({ err: error }, 'An alert could not be sent to the webhook')
      }
      await sleep(backoffMs(attempt, { baseMs: pauseMs, maxMs: 60_000 }), closing.signal).catch(() => {})
    }
  }

  return {
    send(message) {
      if (waiting >= MAX_WAITING) return log.warn({ event: message.event }, 'Too many alerts wait for the webhook')
      waiting += 1
      void inTurn(() => deliver(message)).finally(() => {
        waiting -= 1
      })
    },
    async close() {
      closing.abort()
      await inTurn(async () => {})
    },
  }
}

async function post(options: WebhookOptions, { event, alert }: AlertMessage, closing: AbortSignal): Promise<void> {
  const { url, breaker, timeoutMs = 5_000, fetch = globalThis.fetch } = options
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), closing])
  await breaker.run(
    async () => {
      const body = JSON.stringify({ event, alert: toSnakeCase(alert) })
      const headers = { 'content-type': 'application/json' }
      // A redirect would carry it to a host that nobody configured, perhaps one in this network.
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The webhook answered ${response.status}`)
    },
    { signal: closing },
  )
}
