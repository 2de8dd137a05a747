import type { Executor } from '../../platform/postgres/index.ts'
import { batchSize, ownedTable } from './holdings.ts'
import { removeQuotes } from './quotes.ts'
import { deleteOwned } from './row-queries.ts'
import {
  lockSessions,
  noteRemoval,
  removeFromAlerts,
  removeMessages,
  removeSessions,
  removeSolutions,
} from './session-queries.ts'
import { drain, type Removal, step } from './steps.ts'
import type { Counts, OwnedTable, Owners, Removed } from './types.ts'

/** Removes one batch of the owners' rows. */
export type Batch = (executor: Executor, owners: Owners) => Promise<Removed>

const removing =
  (owned: OwnedTable, limit = batchSize(owned.table)): Batch =>
  async (executor, owners) => {
    const count = await deleteOwned(executor, owned, owners, limit)
    return { counts: { [owned.as]: count }, more: count >= limit }
  }

const storedAnswers = (of: keyof Owners): Batch =>
  removing({ table: 'idempotency_keys', as: 'stored_answers', of, key: 'key', hidden: [] })

const messages: Batch = async (executor, owners) => {
  const limit = batchSize('chat_messages')
  const counts = await removeMessages(executor, owners.session_id, limit)
  return { counts, more: (counts.messages ?? 0) >= limit }
}

const CONVERSATION: readonly Batch[] = [
  removing(ownedTable('traces')),
  messages,
  removing(ownedTable('deliveries')),
  storedAnswers('session_id'),
]
/** There is little of it. */
const ALL_AT_ONCE = Number.MAX_SAFE_INTEGER
const WITH_SESSIONS: readonly Batch[] = [
  removing(ownedTable('tickets'), ALL_AT_ONCE),
  removing(ownedTable('attachments'), ALL_AT_ONCE),
  removing(ownedTable('ratings'), ALL_AT_ONCE),
  removing(ownedTable('notes'), ALL_AT_ONCE),
  removing(ownedTable('channel_addresses'), ALL_AT_ONCE),
]

/** Rows that belong to a customer by name, and not to one of the sessions. */
export const OF_CUSTOMER: readonly Batch[] = [
  removing(ownedTable('channel_messages')),
  storedAnswers('user_id'),
  removing(ownedTable('changes')),
]

/** The shop's own records of the customer: a copy that it imported. */
export const RECORDS: readonly Batch[] = [removing(ownedTable('orders')), removing(ownedTable('customers'))]

/**
 * Removes conversations with all that was made of them. Rows of which there may be many go first, in batches; the
 * sessions themselves go last, so that nothing is forgotten when a removal is cut off in between: it can be begun
 * again.
 */
export async function removeConversations(removal: Removal, sessionIds: readonly string[]): Promise<void> {
  const owners: Owners = { session_id: sessionIds, user_id: [], channel_user: [] }
  await noteRemoval(removal.db.executor, sessionIds)
  for (const batch of CONVERSATION) await drain(removal, (trx) => batch(trx, owners))
  await removeQuotes(removal, sessionIds)
  await step(removal, async (trx) => {
    await lockSessions(trx, sessionIds)
    const parts = [await removeFromAlerts(trx, sessionIds), await removeSolutions(trx, sessionIds)]
    // The batches once more: whatever came since.
    for (const batch of [...WITH_SESSIONS, ...CONVERSATION]) parts.push((await batch(trx, owners)).counts)
    parts.push(await removeSessions(trx, sessionIds))
    return { counts: Object.assign({}, ...parts) as Counts }
  })
}
