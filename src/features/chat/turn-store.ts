import { createCoalescer } from '../../kernel/coalescer.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { withheldCard } from './identity.ts'
import {
  type BegunTurn,
  beginTurns,
  endTurns,
  type FinishedTurn,
  insertTurns,
  type TurnEnd,
  type TurnStart,
} from './turn-queries.ts'

/** Stores turns; those that come at the same time share a statement. One turn of a session at a time. */
export interface TurnStore {
  /** Undefined: somebody else has the turn, or the session belongs to another user. */
  begin(start: TurnStart): Promise<BegunTurn | undefined>
  /** Undefined: the session is gone. */
  end(end: TurnEnd): Promise<FinishedTurn | undefined>
  /** Begins and ends the first turn of a new session at once. */
  store(start: TurnStart, end: TurnEnd): Promise<FinishedTurn | undefined>
}

/** More at once store no faster and let everyone wait for all; histories of so many are some megabytes at the most. */
const MAX_BATCH = 16
/** The embedded database does one thing after the other, but has the next ones at hand; a server has a disk to wait for. */
const CONCURRENCY = { embedded: 3, server: 4 } as const

export function createTurnStore({ db, live }: { db: Database; live: LiveEvents }): TurnStore {
  const together = { maxBatch: MAX_BATCH, concurrency: CONCURRENCY[db.kind] }
  const begin = createCoalescer<TurnStart, BegunTurn | undefined>({
    ...together,
    async run(starts) {
      const begun = await beginTurns(db.executor, starts)
      return starts.map(({ sessionId }) => begun.get(sessionId))
    },
  })
  const store = createCoalescer<{ start: TurnStart; end: TurnEnd }, FinishedTurn | undefined>({
    ...together,
    async run(turns) {
      const stored = await insertTurns(db.executor, turns)
      return turns.map(({ start }) => stored.get(start.sessionId))
    },
  })
  const end = createCoalescer<TurnEnd, FinishedTurn | undefined>({
    ...together,
    async run(ends) {
      const finished = await endTurns(db.executor, ends)
      return ends.map(({ sessionId }) => forSpeaker(finished.get(sessionId)))
    },
  })
  return {
    async begin(start) {
      const begun = await begin(start)
      const status = begun?.session.agentStatus
      if (status === 'pending' || status === 'assigned') {
        await live.publish(db.executor, { topic: 'workspace', type: 'message', ref: start.messageId })
      }
      return begun
    },
    end,
    store: (start, ended) => store({ start, end: ended }),
  }
}

/** What of a call for a person its speaker may see, who need not be the one who made it. */
function forSpeaker(turn: FinishedTurn | undefined): FinishedTurn | undefined {
  if (!turn?.isOthersCall || !turn.escalationCard) return turn
  return { ...turn, escalationCard: withheldCard(turn.escalationCard) }
}
