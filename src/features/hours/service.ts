import type { Log } from '../../kernel/log.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { closedText } from './phrases.ts'
import { deleteHours, findHours, type StoredHours, saveHours } from './queries.ts'
import { stateAt } from './state.ts'
import type { Hours, HoursState } from './types.ts'

export interface HoursOptions {
  db: Database
  live: LiveEvents
  clock: { now(): number }
  log: Log<'warn'>
}

export type WorkingHours = Awaited<ReturnType<typeof createHours>>

const TOPIC = 'hours'

/** When people are there: kept in memory, stored in the database, followed by every replica. */
export async function createHours({ db, live, clock, log }: HoursOptions) {
  let stored: StoredHours | undefined = await findHours(db.executor)
  const reload = (): void => {
    findHours(db.executor)
      .then((found) => {
        stored = found
      })
      .catch((error: unknown) => log.warn({ err: error }, 'The working hours could not be read anew'))
  }
  const unsubscribe = live.subscribe(TOPIC, reload, reload)
  const change = async (work: (trx: Parameters<typeof saveHours>[0]) => Promise<void>): Promise<void> => {
    await db.transaction(async (trx) => {
      await work(trx)
      await live.publish(trx, { topic: TOPIC, type: 'changed' })
    })
    stored = await findHours(db.executor)
  }
  const state = (): HoursState | null => (stored ? stateAt(stored.hours, clock.now()) : null)

  return {
    current: (): StoredHours | undefined => stored,
    /** Null: there are no hours. */
    state,
    set: (hours: Hours, by: string | null): Promise<void> => change((trx) => saveHours(trx, hours, by)),
    remove: (): Promise<void> => change(deleteHours),

    /** Words for customers who call a person now; null: people are there, or there are no hours. */
    closedTexts(): { zh: string; en: string } | null {
      const now = state()
      if (!stored || !now || now.isOpen) return null
      const { messages, timezone } = stored.hours
      const text = (language: 'zh' | 'en') =>
        closedText(language, { message: messages[language], back: now.opensAt, timezone })
      return { zh: text('zh'), en: text('en') }
    },

    /** Time since when people are there, before which a call waits for nobody; null: they are not. Without hours always. */
    openSince(): Date | null {
      const now = state()
      return now ? now.openSince : new Date(0)
    },

    close: unsubscribe,
  }
}
