export { monitoringRoutes } from './routes.ts'
export { createMonitoring, type Monitoring } from './service.ts'
export type { TurnStats } from './types.ts'
