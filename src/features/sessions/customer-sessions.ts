import { newId } from '../../kernel/ids.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { originOf, otherUser, type Speaker } from './identity.ts'
import { findLatestSession, findSession, lockCustomer, openSession } from './queries.ts'
import type { ChannelName } from './types.ts'

/**
 * The session in which a customer of a channel spoke last, made when there is none. Two first messages at once, on
 * whichever replicas, get the same one.
 */
export async function sessionOfCustomer(db: Database, channel: ChannelName, speaker: Speaker): Promise<string> {
  const origin = originOf(speaker, true)
  const { userId } = speaker
  const known = await findLatestSession(db.executor, { channel, userId, origin })
  if (known !== undefined) return known
  return db.transaction(async (trx) => {
    await lockCustomer(trx, channel, `${origin}:${userId}`)
    const meanwhile = await findLatestSession(trx, { channel, userId, origin })
    if (meanwhile !== undefined) return meanwhile
    const sessionId = newId('sess')
    await openSession(trx, { sessionId, userId, channel, origin })
    return sessionId
  })
}

/** Throws conflict where the session belongs to another customer; one that is not there belongs to nobody. */
export async function assertOwnSession(db: Database, sessionId: string, speaker: Speaker): Promise<void> {
  const origin = originOf(speaker, false)
  const session = await findSession(db.executor, sessionId, { userId: speaker.userId, origin, trustsMade: true })
  if (session?.voice === 'other') throw otherUser()
}
