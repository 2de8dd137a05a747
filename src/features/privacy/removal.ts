import { removeQuotes } from './quotes.ts'
import { noteRemoval, removeSessions, SESSION_BATCHES } from './session-queries.ts'
import { drain, type Removal, step } from './steps.ts'

/** Removes conversations with all that was made of them. Cut off in between, it can be begun again. */
export async function removeConversations(removal: Removal, sessionIds: readonly string[]): Promise<void> {
  await noteRemoval(removal.db.executor, sessionIds)
  for (const batch of SESSION_BATCHES) await drain(removal, (trx) => batch(trx, sessionIds))
  await removeQuotes(removal, sessionIds)
  await step(removal, async (trx) => ({ counts: await removeSessions(trx, sessionIds) }))
}
