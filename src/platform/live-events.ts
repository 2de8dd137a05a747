import { type Database, type Executor, notify } from './postgres/index.ts'

const CHANNEL = 'live'

/** Says that something happened; who cares reads it from the database. Small enough for a notification. */
export interface LiveEvent {
  /** The thing that it belongs to, e.g. `session:abc` or `workspace`. */
  topic: string
  /** `message`, `handoff`, `resolved`, … */
  type: string
  /** Id of the row to read, where there is one. */
  ref?: string
}

export type LiveEvents = Awaited<ReturnType<typeof createLiveEvents>>

interface Subscriber {
  handler: (event: LiveEvent) => void
  onGap: (() => void) | undefined
}

/** Events between replicas as they happen: published in a transaction, delivered everywhere once it committed. */
export async function createLiveEvents(db: Database) {
  const subscribers = new Map<string, Set<Subscriber>>()
  const deliver = (payload: string): void => {
    const event = JSON.parse(payload) as LiveEvent
    for (const { handler } of subscribers.get(event.topic) ?? []) handler(event)
  }
  const missed = (): void => {
    for (const set of subscribers.values()) for (const { onGap } of set) onGap?.()
  }
  const stop = await db.listen(CHANNEL, deliver, missed)
  return {
    publish: (executor: Executor, event: LiveEvent): Promise<void> =>
      notify(db, executor, CHANNEL, JSON.stringify(event)),
    /**
     * Calls `handler` for events of one topic. `onGap` runs when some may have been missed (the database was away): read
     * what is new. Returns the function that ends the subscription.
     */
    subscribe(topic: string, handler: (event: LiveEvent) => void, onGap?: () => void): () => void {
      const subscriber = { handler, onGap }
      const set = subscribers.get(topic) ?? new Set()
      subscribers.set(topic, set.add(subscriber))
      return () => {
        set.delete(subscriber)
        if (set.size === 0) subscribers.delete(topic)
      }
    },
    close: stop,
  }
}
