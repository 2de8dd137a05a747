import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { CHANNELS, callbackOf } from '../sessions/index.ts'
import {
  announceErasure,
  claimAbandoned,
  finishErasure,
  insertErasure,
  listErasures,
  noteErased,
  readSecret,
} from './erasure-queries.ts'
import { OF_CUSTOMER, RECORDS, removeConversations } from './removal.ts'
import { holdSessions, identitiesOf, removeLinks, sessionsOf } from './session-queries.ts'
import { drain, type Removal, rest, step } from './steps.ts'
import type { Erasure, Owners } from './types.ts'

export interface ErasureOptions {
  db: Database
  /** Drops what this replica remembers of conversations. */
  forget(): void
  /** How long an erasure waits for turns that are under way. Default 10,000. */
  turnWaitMs?: number
  log: Log
}

export interface ErasureRequest {
  userId: string
  /** The shop's records of the customer go as well. */
  records: boolean
  /** Name of the key that asks. */
  caller: string
}

/** Sessions that are removed together. */
const SESSIONS = 50
const POLL_MS = 100
const DEFAULT_TURN_WAIT_MS = 10_000

/** Erases what is known of customers, one after the other, and keeps a record of each that does not name them. */
export function createErasures(options: ErasureOptions) {
  const { db, log } = options
  const owner = newId('eraser')
  const closing = new AbortController()
  const inTurn = pLimit(1)
  const own = new Set<string>()

  async function run(erasure: Erasure): Promise<Erasure> {
    own.add(erasure.erasureId)
    try {
      return await inTurn(() => erase(options, erasure, owner, closing.signal))
    } finally {
      own.delete(erasure.erasureId)
    }
  }

  return {
    /** Resolves when everything is gone. Noted first: an erasure that is cut off goes on by itself. */
    async erase({ userId, records, caller }: ErasureRequest): Promise<Erasure> {
      const subject = digestOf(userId, await readSecret(db.executor))
      const erasureId = newId('erasure')
      return run(
        await insertErasure(db.executor, { erasureId, subject, userId, erasesRecords: records, caller, owner }),
      )
    },

    /** Newest first; of one customer where `userId` is given. */
    async list({ limit, offset, userId }: { limit: number; offset: number; userId: string | undefined }) {
      const subject = userId === undefined ? null : digestOf(userId, await readSecret(db.executor))
      return listErasures(db.executor, { limit, offset, subject })
    },

    /** Goes on with erasures whose process is gone. */
    async resume(): Promise<void> {
      while (!closing.signal.aborted) {
        const erasure = await claimAbandoned(db.executor, owner, [...own], db.kind === 'embedded')
        if (!erasure) return
        log.warn({ erasureId: erasure.erasureId }, 'Going on with an erasure that was cut off')
        await run(erasure)
      }
    },

    /** Stops between two steps. */
    async close(): Promise<void> {
      closing.abort()
      await inTurn(async () => {})
    },
  }
}

async function erase(options: ErasureOptions, erasure: Erasure, owner: string, signal: AbortSignal): Promise<Erasure> {
  const { db } = options
  const mine = { erasureId: erasure.erasureId, owner }
  const removal: Removal = {
    db,
    reason: 'erasure',
    async note(trx, counts) {
      if (!(await noteErased(trx, mine, counts))) throw takenOver()
    },
    rest: (tookMs) => rest(tookMs, signal),
  }
  await removal.rest(0)
  const owners = await ownersOf(db, erasure.userId ?? '')
  await removeAllConversations(options, removal, owners.user_id)
  const batches = erasure.erasesRecords ? [...OF_CUSTOMER, ...RECORDS] : OF_CUSTOMER
  for (const batch of batches) await drain(removal, (trx) => batch(trx, owners))
  // Conversations that began while the first were removed.
  await removeAllConversations(options, removal, owners.user_id)
  await step(removal, async (trx) => ({ counts: await removeLinks(trx, owners.user_id) }))
  options.forget()
  await announceErasure(db)
  const finished = await finishErasure(db.executor, mine)
  if (!finished) throw takenOver()
  return finished
}

async function removeAllConversations(
  { db, turnWaitMs = DEFAULT_TURN_WAIT_MS }: ErasureOptions,
  removal: Removal,
  userIds: readonly string[],
): Promise<void> {
  for (;;) {
    const sessionIds = await sessionsOf(db.executor, userIds, SESSIONS)
    if (sessionIds.length === 0) return
    await awaitTurns(db, sessionIds, turnWaitMs)
    await removeConversations(removal, sessionIds)
  }
}

/** Lets turns come to their end that are under way, for a while, and none begin. One that takes longer finds no session. */
async function awaitTurns(db: Database, sessionIds: readonly string[], waitMs: number): Promise<void> {
  const owner = newId('turn')
  const deadline = performance.now() + waitMs
  while ((await holdSessions(db.executor, sessionIds, owner, null)).length < sessionIds.length) {
    if (performance.now() > deadline) return
    await sleep(POLL_MS)
  }
}

function takenOver(): AppError {
  return new AppError('unavailable', 'erasure_lost', 'Another process goes on with this erasure', {
    retryAfterSeconds: 10,
  })
}

/** Every name that stands for a customer: the user id, and what channels call whom it is linked to. */
export async function ownersOf(db: Database, userId: string): Promise<Owners> {
  const userIds = await identitiesOf(db.executor, userId)
  const onChannels = userIds.flatMap((id) =>
    CHANNELS.flatMap((channel) => {
      const prefix = `${channel}:`
      const names = id.startsWith(prefix) ? [id, id.slice(prefix.length)] : [id]
      return names.flatMap((name) => [channel, callbackOf(channel)].map((by) => ({ channel: by, name })))
    }),
  )
  return { session_id: [], user_id: userIds, channel_user: onChannels }
}

/** A digest by which a record can be found by whoever knows the user id, and tells the user id to nobody. */
function digestOf(userId: string, secret: string): string {
  return createHmac('sha256', secret).update(userId).digest('hex')
}
