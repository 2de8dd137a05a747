export type { Thresholds } from './alert-rules.ts'
export { type Alerts, createAlerts } from './alerts.ts'
export {
  above,
  breakerFindingOf,
  endpointFindingOf,
  findingOf,
  type HealthCheck,
  type HealthFinding,
} from './health.ts'
export { NO_PRICES, parsePrices } from './prices.ts'
export { prometheusRoutes } from './prometheus-routes.ts'
export { hasVectorExtension } from './queries.ts'
export { observabilityRoutes } from './routes.ts'
export { createObservability, type Observability } from './service.ts'
export { createUsage } from './usage.ts'
export { createWebhook } from './webhook.ts'
