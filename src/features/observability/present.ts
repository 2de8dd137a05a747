import type { Alert } from './types.ts'
import type { UsageReport, UsageSum } from './usage.ts'

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

export function presentUsage({ from, to, total, byModel, byAgent, estimated, currency, unpricedModels }: UsageReport) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    total: presentSum(total),
    by_model: presentSums(byModel),
    by_agent: presentSums(byAgent),
    estimated,
    currency,
    unpriced_models: unpricedModels,
  }
}

function presentSums(sums: Record<string, UsageSum>) {
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, presentSum(sum)]))
}

function presentSum({ inputTokens, outputTokens, totalTokens, calls, cost }: UsageSum) {
  // Sums of prices per million tokens have no more digits than this; the rest is noise of binary fractions.
  const rounded = cost === null ? null : Math.round(cost * 1e9) / 1e9
  return { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens, calls, cost: rounded }
}
