import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { Stored } from './records.ts'
import type { Change, Customer, Order } from './types.ts'

/** Statements on the embedded business records and on the changes that were begun. Records are JSON as imported. */

/** Rows per statement: few round trips, and a statement's text of bounded size. */
const BATCH_ROWS = 500

export interface OrderRow {
  /** The number as orders are compared. */
  key: string
  orderId: string
  userId: string | null
  record: object
}

export interface CustomerRow {
  userId: string
  record: object
}

export interface SavedCounts {
  imported: number
  updated: number
}

export async function findCustomer(executor: Executor, userId: string): Promise<Stored<Customer> | null> {
  const { rows } = await sql<Stored<Customer>>`select record, revision from business_customers
    where user_id = ${userId}`.execute(executor)
  return rows[0] ?? null
}

export async function findOrder(executor: Executor, key: string): Promise<Stored<Order> | null> {
  const { rows } = await sql<Stored<Order>>`select record, revision from business_orders
    where order_key = ${key}`.execute(executor)
  return rows[0] ?? null
}

/** A customer's orders in the order in which they were first imported. */
export async function listOrdersOf(executor: Executor, userId: string): Promise<Order[]> {
  const { rows } = await sql<{ record: Order }>`select record from business_orders
    where user_id = ${userId} order by position`.execute(executor)
  return rows.map(({ record }) => record)
}

/** Whether anything was ever imported. */
export async function hasRecords(executor: Executor): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select
    exists (select from business_orders) or exists (select from business_customers) as has`.execute(executor)
  return rows[0]?.has === true
}

/** Inserts or replaces. No two of `customers` may have the same id. */
export async function saveCustomers(executor: Executor, customers: readonly CustomerRow[]): Promise<SavedCounts> {
  return inBatches(customers, async (batch) => {
    const { rows } = await sql<{ inserted: boolean }>`
      insert into business_customers as c (user_id, record, revision)
      select "userId", record, 1 from json_to_recordset(${toJson(batch)}::json) as r("userId" text, record json)
      on conflict (user_id) do update set record = excluded.record, revision = c.revision + 1, updated_at = now()
      returning revision = 1 as inserted`.execute(executor)
    return rows
  })
}

/** Inserts or replaces. No two of `orders` may have the same key. */
export async function saveOrders(executor: Executor, orders: readonly OrderRow[]): Promise<SavedCounts> {
  return inBatches(orders, async (batch) => {
    const { rows } = await sql<{ inserted: boolean }>`
      insert into business_orders as o (order_key, order_id, user_id, record, revision)
      select key, "orderId", "userId", record, 1 from json_to_recordset(${toJson(batch)}::json)
        as r(key text, "orderId" text, "userId" text, record json)
      on conflict (order_key) do update set order_id = excluded.order_id, user_id = excluded.user_id,
        record = excluded.record, revision = o.revision + 1, updated_at = now()
      returning revision = 1 as inserted`.execute(executor)
    return rows
  })
}

async function inBatches<T>(
  rows: readonly T[],
  save: (batch: readonly T[]) => Promise<{ inserted: boolean }[]>,
): Promise<SavedCounts> {
  let imported = 0
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const saved = await save(rows.slice(start, start + BATCH_ROWS))
    imported += saved.filter(({ inserted }) => inserted).length
  }
  return { imported, updated: rows.length - imported }
}

/** Writes a customer if it was not written since `revision`; false otherwise. */
export async function replaceCustomer(executor: Executor, customer: CustomerRow, revision: number): Promise<boolean> {
  const { rows } = await sql`update business_customers set record = ${toJson(customer.record)}::json,
      revision = revision + 1, updated_at = now()
    where user_id = ${customer.userId} and revision = ${revision} returning user_id`.execute(executor)
  return rows.length > 0
}

/** Writes an order if it was not written since `revision`; false otherwise. */
export async function replaceOrder(
  executor: Executor,
  order: Pick<OrderRow, 'key' | 'record'>,
  revision: number,
): Promise<boolean> {
  const { rows } = await sql`update business_orders set record = ${toJson(order.record)}::json,
      revision = revision + 1, updated_at = now()
    where order_key = ${order.key} and revision = ${revision} returning order_key`.execute(executor)
  return rows.length > 0
}

/** Notes a change under its key; false when the key was noted before. */
export async function insertChange(
  executor: Executor,
  change: Change,
  connector: string,
  state: 'started' | 'done',
): Promise<boolean> {
  const { rows } = await sql`
    insert into business_changes (idempotency_key, connector, kind, user_id, order_id, change, state, finished_at)
    values (${change.idempotency_key}, ${connector}, ${change.kind}, ${change.user_id}, ${change.order_id},
      ${toJson(change)}::jsonb, ${state}, case when ${state} = 'done' then now() end)
    on conflict (idempotency_key) do nothing returning idempotency_key`.execute(executor)
  return rows.length > 0
}

export async function findChangeState(
  executor: Executor,
  idempotencyKey: string,
): Promise<'started' | 'done' | undefined> {
  const { rows } = await sql<{ state: 'started' | 'done' }>`select state from business_changes
    where idempotency_key = ${idempotencyKey}`.execute(executor)
  return rows[0]?.state
}

export async function finishChange(executor: Executor, idempotencyKey: string): Promise<void> {
  await sql`update business_changes set state = 'done', finished_at = now()
    where idempotency_key = ${idempotencyKey}`.execute(executor)
}

export async function forgetChange(executor: Executor, idempotencyKey: string): Promise<void> {
  await sql`delete from business_changes where idempotency_key = ${idempotencyKey} and state = 'started'`.execute(
    executor,
  )
}
