import { ASIDE_TOPIC, type AsideName } from '../../kernel/asides.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { listPresence, savePresence } from './queries.ts'
import type { PresenceState, StoredPresence } from './types.ts'

export interface PresenceOptions {
  db: Database
  live: Pick<LiveEvents, 'publish'>
  clock: { now(): number }
  /** Throws not_found for an unknown session. */
  assertSession(sessionId: string): Promise<void>
  /** Throws not_found, and conflict where the session is another customer's; `userId` empty: nobody was named. */
  assertOwn(viewed: { sessionId: string; userId: string }): Promise<void>
}

export type Presence = ReturnType<typeof createPresence>

/** Somebody who types says so again before this is over. */
const TYPING_MS = 6_000
/** Somebody who is there says so at least every half minute. */
const FRESH_SECONDS = 60
const THERE_MS = 5_000

/** Whether people are there, and whether somebody is just writing. */
export function createPresence({ db, live, clock, assertSession, assertOwn }: PresenceOptions) {
  const { executor } = db
  const publish = (topic: string, type: AsideName, data: object): Promise<void> =>
    live.publish(executor, { topic, type, ref: JSON.stringify(data) })
  const typing = (sessionId: string, role: 'agent' | 'user', agentId?: string) => ({
    session_id: sessionId,
    role,
    ...(agentId ? { agent_id: agentId } : {}),
    expires_at: new Date(clock.now() + TYPING_MS).toISOString(),
  })

  const countOnline = async (): Promise<boolean> =>
    (await listPresence(executor, FRESH_SECONDS)).some(({ state }) => state === 'online')
  let known = { until: 0, is: Promise.resolve(false) }

  return {
    /** A person writes to the customer: the customer is told, and colleagues. Throws not_found. */
    async agentTypes(sessionId: string, agentId: string): Promise<void> {
      await assertSession(sessionId)
      await publish(ASIDE_TOPIC, 'typing', typing(sessionId, 'agent', agentId))
      await publish(`session:${sessionId}`, 'typing', typing(sessionId, 'agent'))
    },

    /** The customer writes. Throws not_found or conflict. */
    async customerTypes(viewed: { sessionId: string; userId: string }): Promise<void> {
      await assertOwn(viewed)
      await publish(ASIDE_TOPIC, 'typing', typing(viewed.sessionId, 'user'))
    },

    /** Told to colleagues where it changed. */
    async report(name: string, state: PresenceState): Promise<void> {
      const before = await savePresence(executor, { name, state, freshSeconds: FRESH_SECONDS })
      if (before !== state) await publish(ASIDE_TOPIC, 'presence', { agent_id: name, state })
    },

    list: (): Promise<StoredPresence[]> => listPresence(executor, FRESH_SECONDS),

    /** Customers ask often, and what they are told may be some seconds old. */
    async isSomebodyThere(): Promise<boolean> {
      const now = clock.now()
      if (now >= known.until) known = { until: now + THERE_MS, is: countOnline() }
      return known.is.catch((error: unknown) => {
        known = { ...known, until: 0 }
        throw error
      })
    },
  }
}
