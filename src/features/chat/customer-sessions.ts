import { newId } from '../../kernel/ids.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { findLatestSession, lockCustomer } from './handoff-queries.ts'
import { openSession } from './queries.ts'
import type { Channel } from './types.ts'

/**
 * The session in which a customer of a channel spoke last, made when there is none. Two first messages at once, on
 * whichever replicas, get the same one.
 */
export async function sessionOfCustomer(db: Database, channel: Channel, userId: string): Promise<string> {
  const known = await findLatestSession(db.executor, channel, userId)
  if (known !== undefined) return known
  return db.transaction(async (trx) => {
    await lockCustomer(trx, channel, userId)
    const meanwhile = await findLatestSession(trx, channel, userId)
    if (meanwhile !== undefined) return meanwhile
    return (await openSession(trx, { sessionId: newId('sess'), userId, channel })).sessionId
  })
}
