import type { Alert } from './types.ts'

export function presentAlert(alert: Alert) {
  return {
    alert_id: alert.alertId,
    level: alert.level,
    source: alert.source,
    message: alert.message,
    details: alert.details,
    fingerprint: alert.fingerprint,
    count: alert.count,
    created_at: alert.createdAt.toISOString(),
    last_seen_at: alert.lastSeenAt.toISOString(),
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
  }
}
