import { createPrivacy, privacyRoutes } from '../features/customers/index.ts'
import type { App } from '../http/server.ts'
import { every } from '../platform/interval.ts'
import type { Ground } from './module.ts'

/**
 * Retention and the erasure of customers, as the settings say.
 *
 * @param monitoring.forget drops what this replica remembers of conversations
 */
export async function openCustomers({ config, ...ground }: Ground, { forget }: { forget(): void }) {
  const privacy = await createPrivacy({
    ...ground,
    forget,
    days: {
      conversations: config.CONVERSATION_RETENTION_DAYS,
      traces: config.TRACE_RETENTION_DAYS,
      tickets: config.TICKET_RETENTION_DAYS,
      alerts: config.ALERT_RETENTION_DAYS,
      evaluations: config.EVALUATION_RETENTION_DAYS,
      series: config.SERIES_RETENTION_DAYS,
      audit: config.AUDIT_RETENTION_DAYS,
    },
    maxTraces: config.TRACE_MAX_COUNT,
    every: (intervalMs, work) => every(intervalMs, work, ground.log),
  })
  return { service: privacy, routes: (app: App) => privacyRoutes(app, { privacy }), close: privacy.close }
}
