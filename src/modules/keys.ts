import { createKeys, keyRoutes } from '../features/keys/index.ts'
import type { App } from '../http/server.ts'
import type { Ground } from './module.ts'

/** The named keys, where there is a file of them. */
export async function openKeys({ config, db, clock, log }: Ground) {
  const keys = await createKeys({ db, clock, path: config.API_KEYS_FILE, hasApiKey: config.API_KEY !== '', log })
  return { service: keys, routes: (app: App) => keyRoutes(app, { keys }), close: keys.close }
}
