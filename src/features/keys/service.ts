import type { Log } from '../../kernel/log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { type KeyRing, openKeyRing } from './key-ring.ts'
import { listUses, saveUse } from './queries.ts'

export interface KeysOptions {
  db: Database
  clock: Clock
  /** Of the file of named keys; empty: there are none. */
  path: string
  /** Whether there is a key in the settings as well. */
  hasApiKey: boolean
  log: Log<'info' | 'warn'>
}

export type Keys = Awaited<ReturnType<typeof createKeys>>

const POLL_MS = 1_000
const USE_STORED_EVERY_MS = 60_000
const OF_THE_SETTING = { keyId: 'API_KEY', name: 'API_KEY', scopes: ['admin'] as const }

/** Named keys, and when each was last used. Throws `invalid` when the file cannot be used. */
export async function createKeys({ db, clock, path, hasApiKey, log }: KeysOptions) {
  const ring: KeyRing | undefined = path === '' ? undefined : await openKeyRing({ path, clock, log })
  // Not a watch: those miss files that are replaced, or mounted into a container.
  const timer = ring && setInterval(() => void ring.refresh(), POLL_MS).unref()
  const uses = rememberUses(db, clock, log)

  return {
    /** Undefined: there is no file of named keys. */
    ring,
    /** Costs nothing but once a minute. */
    used: uses.add,
    refresh: async () => ring?.refresh(),
    /** The part of each key that may be shown. */
    async list() {
      await uses.flush()
      const usedAt = new Map((await listUses(db.executor)).map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]))
      const ofTheSetting = hasApiKey ? [{ ...OF_THE_SETTING, createdAt: null, expiresAt: null }] : []
      return [...ofTheSetting, ...(ring?.list() ?? [])].map(({ keyId, name, scopes, createdAt, expiresAt }) => {
        return { keyId, name, scopes, createdAt, expiresAt, lastUsedAt: usedAt.get(keyId) ?? null }
      })
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await uses.flush()
    },
  }
}

/** Stores the use of a key at most once a minute; requests never wait for it, nor fail with it. */
function rememberUses(db: Database, clock: Clock, log: KeysOptions['log']) {
  const storedAt = new Map<string, number>()
  let storing: Promise<void> = Promise.resolve()
  async function store(keyId: string, now: number): Promise<void> {
    try {
      await saveUse(db.executor, keyId, new Date(now))
    } catch (error) {
      storedAt.delete(keyId)
      log.warn({ err: error }, 'The last use of a key could not be stored')
    }
  }
  return {
    add(keyId: string): void {
      const now = clock.now()
      if (now - (storedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < USE_STORED_EVERY_MS) return
      storedAt.set(keyId, now)
      storing = storing.then(() => store(keyId, now))
    },
    flush: () => storing,
  }
}
