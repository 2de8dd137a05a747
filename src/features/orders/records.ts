import {
  type BusinessConnector,
  CHANGE_KINDS,
  type Change,
  type ChangeKind,
  type ChangeOutcome,
  type Customer,
  type Order,
} from './types.ts'

/** A record and the number of times it has been written, for compare-and-set. */
export interface Stored<T> {
  readonly record: T
  readonly revision: number
}

/** A record to be written if its revision is still the one that was read. */
export type Commit =
  | {
      readonly change: Change
      readonly kind: 'order'
      readonly id: string
      readonly revision: number
      readonly record: Order
    }
  | {
      readonly change: Change
      readonly kind: 'customer'
      readonly id: string
      readonly revision: number
      readonly record: Customer
    }

/**
 * Where the embedded records live. Orders are found by `orderKey` of their number. `commit` is one transaction: it
 * notes `change.idempotency_key` and writes the record. `repeated`: the key was noted before, nothing is written.
 * `conflict`: the revision is another, neither is written.
 */
export interface RecordStore {
  findCustomer(userId: string): Promise<Stored<Customer> | null>
  findOrder(orderId: string): Promise<Stored<Order> | null>
  listOrdersOf(userId: string): Promise<Order[]>
  /** Inserts or replaces by id; later records of the same id in one call win. */
  saveCustomers(customers: readonly Customer[]): Promise<{ imported: number; updated: number }>
  saveOrders(orders: readonly Order[]): Promise<{ imported: number; updated: number }>
  /** Was this key noted by an earlier `commit`? */
  hasApplied(idempotencyKey: string): Promise<boolean>
  commit(commit: Commit): Promise<'done' | 'repeated' | 'conflict'>
}

const newStatus: Partial<Record<ChangeKind, string>> = {
  cancel: 'cancelled',
  return: 'return requested',
  exchange: 'exchange requested',
}

/** The order after a change. A cancelled order gets a refund of every payment to the method that paid. */
export function changedOrder(order: Order, change: Change): Order {
  const next = { ...order, status: newStatus[change.kind] ?? order.status }
  if (change.kind === 'cancel') {
    const paid = order.payment_history.filter((payment) => payment.transaction_type === 'payment')
    const refunds = paid.map((payment) => ({ ...payment, transaction_type: 'refund' }))
    return { ...next, cancel_reason: change.reason, payment_history: [...order.payment_history, ...refunds] }
  }
  if (change.kind === 'address') return { ...next, address: { address1: change.address ?? '' } }
  return { ...next, requested_items: change.items }
}

/** The shop's records in our own database as a connector. */
export function createRecordsConnector(store: RecordStore): BusinessConnector {
  async function commitFor(change: Change): Promise<Commit | null> {
    if (change.kind === 'account_address') {
      const found = await store.findCustomer(change.user_id)
      const record = found && { ...found.record, address: { address1: change.address ?? '' } }
      return record && { change, kind: 'customer', id: record.user_id, revision: found.revision, record }
    }
    const found = await store.findOrder(change.order_id ?? '')
    if (!found || found.record.status !== change.expected_status) return null
    const record = changedOrder(found.record, change)
    return { change, kind: 'order', id: record.order_id, revision: found.revision, record }
  }

  async function applyChange(change: Change): Promise<ChangeOutcome> {
    if (await store.hasApplied(change.idempotency_key)) return { status: 'repeated' }
    const commit = await commitFor(change)
    if (!commit) return { status: 'conflict' }
    const status = await store.commit(commit)
    return commit.kind === 'order' && status === 'done' ? { status, order: commit.record } : { status }
  }

  return {
    name: 'records',
    changes: CHANGE_KINDS,
    identifiesCustomers: true,
    listsOrders: true,
    findCustomer: async (userId) => (await store.findCustomer(userId))?.record ?? null,
    findOrder: async (orderId) => (await store.findOrder(orderId))?.record ?? null,
    listOrdersOf: (userId) => store.listOrdersOf(userId),
    applyChange,
  }
}
