import type { ChangeLedger } from '../../business/connectors/index.ts'
import type { Commit, RecordStore, Stored } from '../../business/records.ts'
import { type Change, type Customer, type Order, orderKey } from '../../business/types.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import {
  type ChangeRow,
  findChangeState,
  findCustomer,
  findOrder,
  finishChange,
  forgetChange,
  insertChange,
  listOrdersOf,
  replaceCustomer,
  replaceOrder,
  saveCustomers,
  saveOrders,
} from './queries.ts'

const CONNECTOR = 'records'

/** The shop's records in the database, as the business agent expects them. */
export function createRecordStore(db: Database): RecordStore {
  return {
    findCustomer: async (userId) => (await findCustomer(db.executor, userId)) as Stored<Customer> | null,
    findOrder: async (orderId) => (await findOrder(db.executor, orderKey(orderId))) as Stored<Order> | null,
    listOrdersOf: async (userId) => (await listOrdersOf(db.executor, userId)) as Order[],
    saveCustomers: (customers) => {
      const rows = customers.map((record) => ({ userId: record.user_id, record }))
      return db.transaction((trx) =>
        saveCustomers(
          trx,
          latest(rows, ({ userId }) => userId),
        ),
      )
    },
    saveOrders: (orders) => {
      const rows = orders.map((record) => ({
        key: orderKey(record.order_id),
        orderId: record.order_id,
        userId: record.user_id,
        record,
      }))
      return db.transaction((trx) =>
        saveOrders(
          trx,
          latest(rows, ({ key }) => key),
        ),
      )
    },
    hasApplied: async (idempotencyKey) => (await findChangeState(db.executor, idempotencyKey)) === 'done',
    commit: (change) => commit(db, change),
  }
}

/** One row for each key, the last one. */
function latest<T>(rows: readonly T[], keyOf: (row: T) => string): T[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

/** Takes the transaction back without being a failure. */
class Conflict extends Error {}

async function commit(db: Database, entry: Commit): Promise<'done' | 'repeated' | 'conflict'> {
  try {
    return await db.transaction(async (trx) => {
      if (!(await insertChange(trx, changeRow(entry.change, CONNECTOR), 'done'))) return 'repeated'
      if (!(await replace(trx, entry))) throw new Conflict()
      return 'done'
    })
  } catch (error) {
    if (error instanceof Conflict) return 'conflict'
    throw error
  }
}

function replace(trx: Executor, entry: Commit): Promise<boolean> {
  const { id, record, revision } = entry
  if (entry.kind === 'customer') return replaceCustomer(trx, { userId: id, record }, revision)
  return replaceOrder(trx, { key: orderKey(id), record }, revision)
}

/** Remembers which changes were sent to other systems. */
export function createChangeLedger(db: Database): ChangeLedger {
  return {
    async begin(change, connector) {
      if (await insertChange(db.executor, changeRow(change, connector), 'started')) return 'fresh'
      // Gone again: the attempt that held the key failed without effect. It may be another's turn by now.
      return (await findChangeState(db.executor, change.idempotency_key)) ?? 'started'
    },
    finish: (idempotencyKey, state) =>
      state === 'done' ? finishChange(db.executor, idempotencyKey) : forgetChange(db.executor, idempotencyKey),
  }
}

function changeRow(change: Change, connector: string): ChangeRow {
  return {
    idempotencyKey: change.idempotency_key,
    connector,
    kind: change.kind,
    userId: change.user_id,
    orderId: change.order_id,
    change,
  }
}
