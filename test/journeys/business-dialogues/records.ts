import { sql } from 'kysely'
import type { Database } from '../../../src/platform/postgres/index.ts'

/** What happened to one record: a new status, what was paid back, which items are asked for, a pattern of the new address. */
interface Effect {
  status?: string
  refund?: number
  items?: readonly string[]
  address?: string
}

/** By the number of an order without `#`, or by the id of a customer. */
export type Effects = Readonly<Record<string, Effect>>

type Content = Record<string, unknown>
export type Records = ReadonlyMap<string, Content>

/** Every order and customer of the shop as they are now. */
export async function readRecords({ executor }: Pick<Database, 'executor'>): Promise<Records> {
  const { rows } = await sql<{ id: string; record: Content }>`
    select replace(order_id, '#', '') as id, record from business_orders
    union all select user_id, record from business_customers`.execute(executor)
  return new Map(rows.map(({ id, record }) => [id, record]))
}

/** Puts records back as they were; importing them again takes a hundred times as long. */
export async function restoreRecords({ executor }: Database, records: Records): Promise<void> {
  const now = await readRecords({ executor })
  for (const [id, record] of records) {
    if (JSON.stringify(now.get(id)) === JSON.stringify(record)) continue
    const text = JSON.stringify(record)
    await sql`update business_orders set record = ${text} where replace(order_id, '#', '') = ${id}`.execute(executor)
    await sql`update business_customers set record = ${text} where user_id = ${id}`.execute(executor)
  }
}

/** What differs between two states of the records, as far as it is not what was to happen; empty when all is well. */
export function unexpectedChanges(before: Records, after: Records, expected: Effects): string[] {
  const changed = [...after.keys()].filter((id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id)))
  return [...new Set([...changed, ...Object.keys(expected)])].flatMap((id) => {
    const wanted = JSON.stringify(ordered(expected[id] ?? {}))
    const found = effectOf(before.get(id) ?? {}, after.get(id) ?? {}, expected[id]?.address)
    const got = JSON.stringify(ordered(found))
    return wanted === got ? [] : [`${id}: expected ${wanted}, got ${got}`]
  })
}

const READ_APART = new Set(['status', 'payment_history', 'requested_items', 'address', 'cancel_reason'])

/** An address that fits the expected pattern is given as that pattern, any other as it was written. */
function effectOf(before: Content, after: Content, addressPattern = '^$'): Content {
  const has = (field: string): boolean => JSON.stringify(before[field]) !== JSON.stringify(after[field])
  const others = Object.keys({ ...before, ...after }).filter((field) => !READ_APART.has(field) && has(field))
  const address = Object.values(after.address ?? {}).join(' ')
  return {
    ...(has('status') && { status: after.status }),
    ...(has('payment_history') && { refund: refunded(after) - refunded(before) }),
    ...(has('requested_items') && { items: after.requested_items }),
    ...(has('address') && { address: new RegExp(addressPattern).test(address) ? addressPattern : address }),
    ...Object.fromEntries(others.map((field) => [field, after[field]])),
  }
}

function refunded({ payment_history: payments = [] }: Content): number {
  const made = payments as { transaction_type: string; amount: number }[]
  return made.filter((payment) => payment.transaction_type === 'refund').reduce((sum, { amount }) => sum + amount, 0)
}

/** Fields by name, lists by content: neither order says anything. */
function ordered(effect: object): [string, unknown][] {
  const entries = Object.entries(effect).map(([field, value]): [string, unknown] => [
    field,
    Array.isArray(value) ? value.toSorted() : value,
  ])
  return entries.sort(([a], [b]) => a.localeCompare(b))
}
