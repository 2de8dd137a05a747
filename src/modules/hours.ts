import { createHours, hoursRoutes } from '../features/hours/index.ts'
import type { App } from '../http/server.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import type { Ground } from './module.ts'

/** When people are at the desk. */
export async function openHours({ db, clock, log }: Ground, { live }: { live: LiveEvents }) {
  const hours = await createHours({ db, live, clock, log })
  return { service: hours, routes: (app: App) => hoursRoutes(app, { hours }), close: hours.close }
}
