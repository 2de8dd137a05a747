import type { ChangeLedger } from '../../src/features/orders/connectors/once.ts'
import type { Commit, RecordStore, Stored } from '../../src/features/orders/records.ts'
import type { Customer, Order } from '../../src/features/orders/types.ts'
import { orderKey } from '../../src/privacy/index.ts'

/** The shop's records in memory; they behave as the database does. */
export function createMemoryStore(): RecordStore {
  const customers = new Map<string, Stored<Customer>>()
  const orders = new Map<string, Stored<Order>>()
  const applied = new Set<string>()

  function save<T>(records: Map<string, Stored<T>>, key: string, record: T): boolean {
    const previous = records.get(key)
    records.set(key, { record: structuredClone(record), revision: (previous?.revision ?? 0) + 1 })
    return previous !== undefined
  }

  function saveAll<T>(records: Map<string, Stored<T>>, list: readonly T[], keyOf: (record: T) => string) {
    const updated = list.filter((record) => save(records, keyOf(record), record)).length
    return { imported: list.length - updated, updated }
  }

  function commit({ change, kind, id, revision, record }: Commit): 'done' | 'repeated' | 'conflict' {
    if (applied.has(change.idempotency_key)) return 'repeated'
    const current = kind === 'order' ? orders.get(orderKey(id)) : customers.get(id)
    if (current?.revision !== revision) return 'conflict'
    applied.add(change.idempotency_key)
    if (kind === 'order') save(orders, orderKey(id), record)
    else save(customers, id, record)
    return 'done'
  }

  return {
    findCustomer: async (userId) => customers.get(userId) ?? null,
    findOrder: async (orderId) => orders.get(orderKey(orderId)) ?? null,
    listOrdersOf: async (userId) =>
      [...orders.values()].map(({ record }) => record).filter((order) => order.user_id === userId),
    saveCustomers: async (list) => saveAll(customers, list, (customer) => customer.user_id),
    saveOrders: async (list) => saveAll(orders, list, (order) => orderKey(order.order_id)),
    hasApplied: async (idempotencyKey) => applied.has(idempotencyKey),
    commit: async (change) => commit(change),
  }
}

/** The ledger of changes in memory. */
export function createMemoryLedger(): ChangeLedger {
  const states = new Map<string, 'started' | 'done'>()
  return {
    begin: async ({ idempotency_key }) => {
      const state = states.get(idempotency_key)
      if (!state) states.set(idempotency_key, 'started')
      return state ?? 'fresh'
    },
    finish: async (key, state) => {
      if (state === 'done') states.set(key, state)
      else states.delete(key)
    },
  }
}
