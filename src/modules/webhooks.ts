import { listOfNames } from '../config.ts'
import { createOutbound } from '../features/orders/index.ts'
import { createWebhooks, webhookRoutes } from '../features/webhooks/index.ts'
import type { App } from '../http/server.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import type { Ground } from './module.ts'

export interface WebhooksModuleOptions {
  live: LiveEvents
  alerts: { webhookLost(webhook: { webhookId: string; url: string; disabledReason: string | null }): void }
  gaps: { refresh(): Promise<unknown> }
}

const MAX_ANSWER_BYTES = 1_048_576

/** Programs elsewhere that are told what happens here, by the rules for everything that leaves the service. */
export async function openWebhooks({ config, db, clock, log }: Ground, { live, alerts, gaps }: WebhooksModuleOptions) {
  const allowHosts = listOfNames(config.WEBHOOK_HOSTS).map((host) => host.toLowerCase())
  const timeoutMs = config.WEBHOOK_TIMEOUT_MS
  const outbound = createOutbound({ allowHosts, timeoutMs: timeoutMs + 2_000, maxBytes: MAX_ANSWER_BYTES })
  const webhooks = await createWebhooks({
    db,
    live,
    log,
    now: clock.now,
    fetch: outbound.fetch,
    timeoutMs,
    giveUpHours: config.WEBHOOK_RETRY_HOURS,
    firstPauseSeconds: config.WEBHOOK_RETRY_SECONDS,
    onSwitchedOff: alerts.webhookLost,
    findGaps: gaps.refresh,
  })
  return {
    service: webhooks,
    routes: (app: App) => webhookRoutes(app, { webhooks }),
    async close(): Promise<void> {
      await webhooks.close()
      await outbound.close()
    },
  }
}
