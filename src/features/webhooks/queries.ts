import { type RawBuilder, sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { Attempt, Claimed, Delivery, DeliveryState, StoredWebhook } from './types.ts'

const webhookColumns = sql`webhook_id as "webhookId", url, description, events, is_active as "isActive", secret,
  previous_secret as "previousSecret", previous_secret_until as "previousSecretUntil", failures,
  failing_since as "failingSince", paused_until as "pausedUntil", disabled_reason as "disabledReason",
  created_at as "createdAt", updated_at as "updatedAt"`

/** A few failures in a row may be those of a few events. */
const TOLERATED = 4

/** The newest first. */
export async function listWebhooks(executor: Executor): Promise<StoredWebhook[]> {
  const { rows } = await sql<StoredWebhook>`select ${webhookColumns} from webhooks
    order by created_at desc, webhook_id`.execute(executor)
  return rows
}

/** @param lock until the transaction ends */
export async function findWebhook(
  executor: Executor,
  webhookId: string,
  { lock = false } = {},
): Promise<StoredWebhook | undefined> {
  const { rows } = await sql<StoredWebhook>`select ${webhookColumns} from webhooks
    where webhook_id = ${webhookId} ${lock ? sql`for no key update` : sql``}`.execute(executor)
  return rows[0]
}

type NewWebhook = Pick<StoredWebhook, 'webhookId' | 'url' | 'description' | 'events' | 'isActive' | 'secret'>

export async function insertWebhook(executor: Executor, webhook: NewWebhook): Promise<StoredWebhook> {
  const { rows } =
    await sql<StoredWebhook>`insert into webhooks (webhook_id, url, description, events, is_active, secret)
    values (${webhook.webhookId}, ${webhook.url}, ${webhook.description}, ${webhook.events}::text[], ${webhook.isActive},
      ${webhook.secret}) returning ${webhookColumns}`.execute(executor)
  return rows[0] as StoredWebhook
}

/** A change by people begins anew: what failed before does not count. */
export async function saveWebhook(executor: Executor, webhook: StoredWebhook): Promise<StoredWebhook> {
  const { rows } =
    await sql<StoredWebhook>`update webhooks set url = ${webhook.url}, description = ${webhook.description},
      events = ${webhook.events}::text[], is_active = ${webhook.isActive}, secret = ${webhook.secret},
      previous_secret = ${webhook.previousSecret}, previous_secret_until = ${webhook.previousSecretUntil}, failures = 0,
      failing_since = null, paused_until = null, disabled_reason = null, updated_at = now()
    where webhook_id = ${webhook.webhookId} returning ${webhookColumns}`.execute(executor)
  return rows[0] as StoredWebhook
}

export async function deleteWebhook(executor: Executor, webhookId: string): Promise<StoredWebhook | undefined> {
  const { rows } = await sql<StoredWebhook>`delete from webhooks where webhook_id = ${webhookId}
    returning ${webhookColumns}`.execute(executor)
  return rows[0]
}

/** An event for one receiver alone. */
export async function insertTestDelivery(
  executor: Executor,
  { webhookId, eventId, type, data }: { webhookId: string; eventId: string; type: string; data: object },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`with told as (
      insert into webhook_events (event_id, type, data) values (${eventId}, ${type}, ${toJson(data)}::jsonb) returning seq)
    insert into webhook_deliveries (webhook_id, seq, lane)
    select ${webhookId}, seq, ${`${webhookId} ${eventId}`} from told returning delivery_id as id`.execute(executor)
  return rows[0]?.id ?? 0
}

/**
 * Takes the oldest event that may be sent now. Those of one lane follow each other, whichever replicas send them, and one
 * receiver has no more than so many at once, so that one that hangs holds up nobody else.
 */
export async function claimDelivery(
  executor: Executor,
  limits: { leaseSeconds: number; perWebhook: number },
): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update webhook_deliveries d set attempts = d.attempts + 1,
      leased_until = now() + make_interval(secs => ${limits.leaseSeconds})
    from webhook_events e
    where e.seq = d.seq and d.delivery_id = (
      select o.delivery_id from webhook_deliveries o join webhooks w using (webhook_id)
      where o.state = 'waiting' and o.next_attempt_at <= now() and (o.leased_until is null or o.leased_until < now())
        and w.is_active and (w.paused_until is null or w.paused_until <= now())
        and not exists (select from webhook_deliveries b
          where b.lane = o.lane and b.state = 'waiting' and b.delivery_id < o.delivery_id)
        and (select count(*) from webhook_deliveries r where r.webhook_id = o.webhook_id and r.state = 'waiting'
          and r.leased_until is not null and r.leased_until > now()) < case when w.failures > ${TOLERATED} then 1 else ${limits.perWebhook} end
      order by o.next_attempt_at, o.delivery_id limit 1 for update of o skip locked)
    returning d.delivery_id as "deliveryId", d.webhook_id as "webhookId", d.attempts, d.created_at as "queuedAt",
      e.event_id as "eventId", e.seq, e.type, e.data, e.created_at as "createdAt"`.execute(executor)
  return rows[0]
}

/** How an attempt ended: taken, to be tried again after some seconds, or given up. */
export type End = { state: 'sent' } | { state: 'failed' } | { state: 'waiting'; delaySeconds: number }

/** False: the receiver, or the event, is gone. */
export async function endAttempt(executor: Executor, deliveryId: number, attempt: Attempt, end: End): Promise<boolean> {
  const isOver = end.state !== 'waiting'
  const delay = end.state === 'waiting' ? end.delaySeconds : 0
  const { rows } = await sql`with ended as (
      update webhook_deliveries set state = ${end.state}, leased_until = null,
        next_attempt_at = now() + make_interval(secs => ${delay}),
        finished_at = case when ${isOver} then now() end
      where delivery_id = ${deliveryId} returning delivery_id)
    insert into webhook_attempts (delivery_id, attempted_at, duration_ms, status, error, answer)
    select delivery_id, ${attempt.attemptedAt}, ${attempt.durationMs}, ${attempt.status}, ${attempt.error},
      ${attempt.answer} from ended returning attempt_id`.execute(executor)
  return rows.length > 0
}

/** The receiver takes events. */
export async function noteSuccess(executor: Executor, webhookId: string): Promise<void> {
  await sql`update webhooks set failures = 0, failing_since = null, paused_until = null
    where webhook_id = ${webhookId} and failures > 0`.execute(executor)
}

/**
 * The receiver failed once more: from the fifth failure in a row on it is left alone, twice as long each time.
 *
 * @param pause in seconds: after the fifth failure, and at most
 */
export async function noteFailure(
  executor: Executor,
  webhookId: string,
  pause: { first: number; most: number },
): Promise<StoredWebhook | undefined> {
  const { rows } = await sql<StoredWebhook>`update webhooks set failures = failures + 1,
      failing_since = coalesce(failing_since, now()),
      paused_until = case when failures >= ${TOLERATED}
        then now() + make_interval(secs => least(${pause.most}::float8, ${pause.first}::float8 * 2 ^ least(failures - ${TOLERATED}, 30))) end
    where webhook_id = ${webhookId} returning ${webhookColumns}`.execute(executor)
  return rows[0]
}

/** One that has failed for so long is switched off; undefined: it has not, or another replica was first. */
export async function switchOff(
  executor: Executor,
  webhookId: string,
  { hours, reason }: { hours: number; reason: string },
): Promise<StoredWebhook | undefined> {
  const { rows } = await sql<StoredWebhook>`update webhooks set is_active = false, disabled_reason = ${reason},
      updated_at = now()
    where webhook_id = ${webhookId} and is_active and failing_since < now() - make_interval(hours => ${hours})
    returning ${webhookColumns}`.execute(executor)
  return rows[0]
}

/** Gives up what was not taken in time, also of receivers that are switched off. */
export async function expireDeliveries(executor: Executor, hours: number): Promise<number> {
  const { rows } = await sql`update webhook_deliveries set state = 'failed', finished_at = now(), leased_until = null
    where delivery_id in (select delivery_id from webhook_deliveries where state = 'waiting'
      and created_at < now() - make_interval(hours => ${hours})
      and (leased_until is null or leased_until < now()) limit 1000)
    returning delivery_id`.execute(executor)
  return rows.length
}

const deliveryColumns = sql`d.delivery_id as "deliveryId", d.webhook_id as "webhookId", e.event_id as "eventId", e.type,
  d.state, d.attempts, d.next_attempt_at as "nextAttemptAt", d.finished_at as "finishedAt", d.created_at as "createdAt",
  last.status as "lastStatus", last.error as "lastError"`
const lastAttempt = sql`left join lateral (select status, error from webhook_attempts a
  where a.delivery_id = d.delivery_id order by attempt_id desc limit 1) last on true`

export interface DeliveryFilter {
  state: DeliveryState | null
  type: string | null
  before: number | null
  limit: number
}

/** The newest first. */
export async function listDeliveries(
  executor: Executor,
  webhookId: string,
  filter: DeliveryFilter,
): Promise<Delivery[]> {
  const { state, type, before, limit } = filter
  const conditions: RawBuilder<unknown>[] = [
    sql`d.webhook_id = ${webhookId}`,
    ...(state === null ? [] : [sql`d.state = ${state}`]),
    ...(type === null ? [] : [sql`e.type = ${type}`]),
    ...(before === null ? [] : [sql`d.delivery_id < ${before}`]),
  ]
  const { rows } = await sql<Delivery>`select ${deliveryColumns} from webhook_deliveries d
    join webhook_events e using (seq) ${lastAttempt} where ${sql.join(conditions, sql` and `)}
    order by d.delivery_id desc limit ${limit}`.execute(executor)
  return rows
}

export async function findDelivery(
  executor: Executor,
  webhookId: string,
  deliveryId: number,
): Promise<(Delivery & { seq: number; data: object; toldAt: Date }) | undefined> {
  const { rows } = await sql<
    Delivery & { seq: number; data: object; toldAt: Date }
  >`select ${deliveryColumns}, e.seq, e.data,
      e.created_at as "toldAt"
    from webhook_deliveries d join webhook_events e using (seq) ${lastAttempt}
    where d.webhook_id = ${webhookId} and d.delivery_id = ${deliveryId}`.execute(executor)
  return rows[0]
}

/** The first first. */
export async function listAttempts(executor: Executor, deliveryId: number): Promise<Attempt[]> {
  const { rows } =
    await sql<Attempt>`select attempted_at as "attemptedAt", duration_ms as "durationMs", status, error, answer
    from webhook_attempts where delivery_id = ${deliveryId} order by attempt_id`.execute(executor)
  return rows
}

/** Sends what is over once more, out of its order, so that nothing waits for it. */
export async function replayDeliveries(
  executor: Executor,
  webhookId: string,
  chosen: { deliveryId: number } | { since: Date },
): Promise<number> {
  const which =
    'deliveryId' in chosen
      ? sql`delivery_id = ${chosen.deliveryId} and state <> 'waiting'`
      : sql`state = 'failed' and created_at >= ${chosen.since}`
  const { rows } = await sql`update webhook_deliveries set state = 'waiting', attempts = 0, next_attempt_at = now(),
      finished_at = null, created_at = now(), lane = 'replay ' || delivery_id
    where webhook_id = ${webhookId} and ${which} returning delivery_id`.execute(executor)
  return rows.length
}

export async function countDeliveries(executor: Executor): Promise<Record<DeliveryState, number>> {
  const { rows } = await sql<{ state: DeliveryState; count: number }>`select state, count(*)::integer as count
    from webhook_deliveries where state <> 'sent' group by state`.execute(executor)
  return { waiting: 0, failed: 0, sent: 0, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) }
}
