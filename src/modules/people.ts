import { createPeople, peopleRoutes } from '../features/people/index.ts'
import { type KeyRing, keyFinder } from '../http/auth.ts'
import type { App } from '../http/server.ts'
import type { Ground } from './module.ts'

/** Those who log in, and how the first of them does. */
export async function openPeople(
  { config, db, clock, log }: Ground,
  { keys }: { keys: { ring: KeyRing | undefined } },
) {
  const { isKeyless } = config
  const people = createPeople({
    db,
    clock,
    keyHolder: keyFinder({ apiKey: config.API_KEY, keys: keys.ring }),
    idleHours: config.LOG_IN_IDLE_HOURS,
    isKeyless,
    log,
  })
  const code = isKeyless ? null : await people.logIns.setupCode()
  if (code !== null)
    log.info(
      { code },
      'Nobody can log in yet: log in with a key or, once, with this code, and add people; or npm run user',
    )
  return { service: people, routes: (app: App) => peopleRoutes(app, { people }), close: () => {} }
}
