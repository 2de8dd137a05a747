import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { ErasedKind, Removed, Subject } from './types.ts'

/** Removal of what belongs to a customer by name, and not to one of the sessions. */

const ROWS = 500

type Batch = (executor: Executor, subject: Subject) => Promise<Removed>

const removing =
  (kind: ErasedKind, table: string): Batch =>
  async (executor, { userIds }) => {
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where user_id = any(${[...userIds]}::text[])
      limit ${ROWS}))`.execute(executor)
    return { counts: { [kind]: Number(numAffectedRows) }, more: Number(numAffectedRows) >= ROWS }
  }

/** Every user id under which the customer is stored: channels' own names begin with the channel's until they are linked. */
export async function identitiesOf(executor: Executor, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select channel || ':' || channel_user_id as id from channel_links
    where user_id = ${userId} order by 1`.execute(executor)
  return [userId, ...rows.map(({ id }) => id)]
}

/** The last to go: by them the other names are known. */
export async function removeLinks(trx: Executor, { userIds }: Subject): Promise<Removed> {
  const { numAffectedRows = 0n } = await sql`delete from channel_links where user_id = any(${[...userIds]}::text[])
    or channel || ':' || channel_user_id = any(${[...userIds]}::text[])`.execute(trx)
  return { counts: { channel_links: Number(numAffectedRows) }, more: false }
}

/** Each removes one batch. */
export const CUSTOMER_BATCHES: readonly Batch[] = [
  removeChannelMessages,
  removing('stored_answers', 'idempotency_keys'),
  removing('changes', 'business_changes'),
]

/** The shop's own records of the customer: a copy that it imported. */
export const RECORD_BATCHES: readonly Batch[] = [
  removing('orders', 'business_orders'),
  removing('customers', 'business_customers'),
]

async function removeChannelMessages(executor: Executor, { onChannels }: Subject): Promise<Removed> {
  const { numAffectedRows = 0n } = await sql`delete from gateway_messages where ctid = any(array(
    select m.ctid from gateway_messages m join unnest(${onChannels.map(({ channel }) => channel)}::text[],
      ${onChannels.map(({ name }) => name)}::text[]) as known(channel, name)
      on m.channel = known.channel and m.user_id = known.name limit ${ROWS}))`.execute(executor)
  return { counts: { channel_messages: Number(numAffectedRows) }, more: Number(numAffectedRows) >= ROWS }
}
