import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { DeliveryState } from '../handoff/index.ts'
import type { ChannelAddress } from './channel.ts'
import type { MessageKey } from './deduplicate.ts'
import type { Delivery } from './outbox.ts'

/** Statements on messages that came in, on where customers are reached, and on what waits to be sent. */

interface MessageRow {
  state: 'processing' | 'done'
  result: unknown
  delivery: 'in_place' | 'pushed' | null
}

const matches = ({ channel, userId, messageId }: MessageKey) =>
  sql`channel = ${channel} and user_id = ${userId} and message_id = ${messageId}`

/** Takes a message for `owner` if nobody has it, or whoever had it is gone. `pushes`: its answer goes out by itself. */
export async function claimMessage(
  executor: Executor,
  key: MessageKey,
  claim: { owner: string; leaseSeconds: number; pushes: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    insert into gateway_messages as m (channel, user_id, message_id, state, owner, lease_expires_at, delivery)
    values (${key.channel}, ${key.userId}, ${key.messageId}, 'processing', ${claim.owner},
      now() + make_interval(secs => ${claim.leaseSeconds}), ${claim.pushes ? 'pushed' : null})
    on conflict (channel, user_id, message_id) do update
      set owner = excluded.owner, lease_expires_at = excluded.lease_expires_at
      where m.state = 'processing' and m.lease_expires_at < now()
    returning owner`.execute(executor)
  return rows.length > 0
}

export async function renewMessage(
  executor: Executor,
  key: MessageKey,
  owner: string,
  leaseSeconds: number,
): Promise<void> {
  await sql`update gateway_messages set lease_expires_at = now() + make_interval(secs => ${leaseSeconds})
    where ${matches(key)} and owner = ${owner} and state = 'processing'`.execute(executor)
}

export async function findMessage(executor: Executor, key: MessageKey): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`select state, result, delivery from gateway_messages
    where ${matches(key)}`.execute(executor)
  return rows[0]
}

/** Stores the answer; undefined when another owner has the message by now. */
export async function finishMessage(
  executor: Executor,
  key: MessageKey,
  owner: string,
  result: object,
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`update gateway_messages set state = 'done', result = ${toJson(result)}::jsonb
    where ${matches(key)} and owner = ${owner} returning state, result, delivery`.execute(executor)
  return rows[0]
}

/** Gives a message back whose handling failed, so that a repeat is handled anew. */
export async function releaseMessage(executor: Executor, key: MessageKey, owner: string): Promise<void> {
  await sql`delete from gateway_messages
    where ${matches(key)} and owner = ${owner} and state = 'processing'`.execute(executor)
}

/** Settles how the answer goes out; undefined when it was settled otherwise before. */
export async function settleDelivery(
  executor: Executor,
  key: MessageKey,
  delivery: 'in_place' | 'pushed',
): Promise<MessageRow | undefined> {
  // An answer in place may be asked for again, when the first response was lost; a push is queued once.
  const unsettled = delivery === 'pushed' ? sql`delivery is null` : sql`delivery is distinct from 'pushed'`
  const { rows } = await sql<MessageRow>`update gateway_messages set delivery = ${delivery}
    where ${matches(key)} and ${unsettled} returning state, result, delivery`.execute(executor)
  return rows[0]
}

export async function saveAddress(
  executor: Executor,
  sessionId: string,
  { channel, orderingKey, details }: ChannelAddress,
): Promise<void> {
  await sql`insert into gateway_addresses (session_id, channel, lane, address)
    values (${sessionId}, ${channel}, ${orderingKey}, ${toJson(details)}::jsonb)
    on conflict (session_id) do update set channel = excluded.channel, lane = excluded.lane,
      address = excluded.address, updated_at = now()`.execute(executor)
}

export async function findAddress(executor: Executor, sessionId: string): Promise<ChannelAddress | undefined> {
  const { rows } = await sql<ChannelAddress>`select channel, lane as "orderingKey", address as details
    from gateway_addresses where session_id = ${sessionId}`.execute(executor)
  return rows[0]
}

/** A part's key is its message's id and its place. */
const messageId = sql`regexp_replace(delivery_key, ':[0-9]+$', '')`

/** Queues texts in order, each once. */
export async function insertDeliveries(
  executor: Executor,
  sessionId: string,
  { channel, orderingKey }: ChannelAddress,
  message: { messageId: string; parts: readonly string[] },
): Promise<void> {
  const parts = message.parts.map((content, place) => ({ key: `${message.messageId}:${place}`, content }))
  await sql`insert into gateway_outbox (delivery_key, session_id, channel, lane, content, state)
    select part->>'key', ${sessionId}, ${channel}, ${orderingKey}, part->>'content', 'waiting'
    from jsonb_array_elements(${toJson(parts)}::jsonb) with ordinality as p(part, place) order by place
    on conflict (delivery_key) do nothing`.execute(executor)
}

/**
 * Platforms count what they refuse as well. A text is given up at once where the platform need not be called, or with a
 * last try for which those minutes before it count.
 */
const calls = sql`case s.state when 'failed' then s.attempts - 1 else s.attempts end`

/**
 * Takes the oldest text that may be sent now. Texts of one ordering key (`lane`) follow each other, whichever replicas
 * send them, and no more tries of them than `limits` says fall within a window. Times ahead of the present are from before
 * the clock was set back: waiting for them could take years.
 */
export async function claimDelivery(
  executor: Executor,
  limits: { channels: readonly string[]; leaseSeconds: number; perWindow: number; windowSeconds: number },
): Promise<Delivery | undefined> {
  const seconds = sql`make_interval(secs => ${limits.windowSeconds})`
  const { rows } = await sql<Delivery>`
    update gateway_outbox set attempts = attempts + 1,
      leased_until = now() + make_interval(secs => ${limits.leaseSeconds})
    where delivery_id = (
      select o.delivery_id from gateway_outbox o
      where o.state = 'waiting' and o.next_attempt_at <= now() and (o.leased_until is null or o.leased_until < now())
        and o.channel = any(${[...limits.channels]}::text[])
        and not exists (select from gateway_outbox e
          where e.lane = o.lane and e.state = 'waiting' and e.delivery_id < o.delivery_id)
        and o.attempts + (select coalesce(sum(${calls}), 0) from gateway_outbox s
          where s.lane = o.lane and s.state <> 'waiting' and s.finished_at between now() - ${seconds} and now() + ${seconds})
          < ${limits.perWindow}
      order by o.delivery_id limit 1 for update skip locked)
    returning delivery_id as "deliveryId", ${messageId} as "messageId", session_id as "sessionId", channel, content, attempts`.execute(
    executor,
  )
  return rows[0]
}

export async function finishDelivery(
  executor: Executor,
  deliveryId: number,
  end: { state: 'sent' } | { state: 'failed'; error: string },
): Promise<void> {
  await sql`update gateway_outbox set state = ${end.state}, error = ${end.state === 'failed' ? end.error : null},
      leased_until = null, finished_at = now() where delivery_id = ${deliveryId}`.execute(executor)
}

/** Of a message that was sent and came back. */
export async function failSent(
  executor: Executor,
  sentMessageId: string,
  error: string,
): Promise<Pick<Delivery, 'deliveryId' | 'channel'>[]> {
  const { rows } = await sql<
    Pick<Delivery, 'deliveryId' | 'channel'>
  >`update gateway_outbox set state = 'failed', error = ${error}
    where ${messageId} = ${sentMessageId} and state = 'sent' returning delivery_id as "deliveryId", channel`.execute(
    executor,
  )
  return rows
}

/** Of a session's messages that went out by themselves in the last days. */
export async function deliveryStates(executor: Executor, sessionId: string): Promise<Map<string, DeliveryState>> {
  const { rows } = await sql<DeliveryState & { messageId: string }>`select ${messageId} as "messageId",
      case when bool_or(state = 'failed') then 'failed' when bool_or(state = 'waiting') then 'waiting' else 'sent' end
        as state, max(error) as error
    from gateway_outbox where session_id = ${sessionId} group by 1`.execute(executor)
  return new Map(rows.map(({ messageId: id, state, error }) => [id, { state, error }]))
}

export async function postponeDelivery(
  executor: Executor,
  deliveryId: number,
  delaySeconds: number,
  error: string,
): Promise<void> {
  await sql`update gateway_outbox set next_attempt_at = now() + make_interval(secs => ${delaySeconds}),
      leased_until = null, error = ${error} where delivery_id = ${deliveryId}`.execute(executor)
}

/** The message that the signature was used for first, `message` itself if it is new. */
export async function claimSignature(executor: Executor, signature: string, message: string): Promise<string> {
  const { rows } = await sql<{ message: string }>`insert into callback_signatures as known (signature, message)
    values (${signature}, ${message})
    on conflict (signature) do update set message = known.message returning message`.execute(executor)
  return rows[0]?.message ?? ''
}
