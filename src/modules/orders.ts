import { readEnvironment } from '../config.ts'
import { businessRoutes, createBusiness, DEFAULT_POLICY } from '../features/orders/index.ts'
import type { App } from '../http/server.ts'
import type { BreakerRegistry } from '../platform/breaker.ts'
import type { Ground } from './module.ts'

/** The shop's own systems, or the records that are kept here in their place. */
export function openOrders({ config, db, clock, log }: Ground, { breakers }: { breakers: BreakerRegistry }) {
  const configPath = config.BUSINESS_CONFIG
  const environment = readEnvironment()
  const business = createBusiness({ db, configPath, environment, breakers, policy: DEFAULT_POLICY, clock, log })
  const maxUploadMb = config.MAX_UPLOAD_MB
  return {
    service: business,
    routes: (app: App) => app.register((scope) => businessRoutes(scope, { business, maxUploadMb })),
    close: business.close,
  }
}
