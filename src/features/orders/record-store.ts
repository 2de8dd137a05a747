import type { Database, Executor } from '../../platform/postgres/index.ts'
import { orderKey } from '../../privacy/index.ts'
import type { ChangeLedger } from './connectors/index.ts'
import {
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
import type { Commit, RecordStore } from './records.ts'

const CONNECTOR = 'records'

/** The shop's records in the database, as the business agent expects them. */
export function createRecordStore(db: Database): RecordStore {
  return {
    findCustomer: (userId) => findCustomer(db.executor, userId),
    findOrder: (orderId) => findOrder(db.executor, orderKey(orderId)),
    listOrdersOf: (userId) => listOrdersOf(db.executor, userId),
    saveCustomers: (customers) => {
      const rows = latest(customers, (record) => record.user_id)
      return db.transaction((trx) =>
        saveCustomers(
          trx,
          rows.map(([userId, record]) => ({ userId, record })),
        ),
      )
    },
    saveOrders: (orders) => {
      const rows = latest(orders, (record) => orderKey(record.order_id)).map(([key, record]) => {
        return { key, orderId: record.order_id, userId: record.user_id, record }
      })
      return db.transaction((trx) => saveOrders(trx, rows))
    },
    hasApplied: async (idempotencyKey) => (await findChangeState(db.executor, idempotencyKey)) === 'done',
    commit: (change) => commit(db, change),
  }
}

/** One record for each key, the last one. */
function latest<T>(records: readonly T[], keyOf: (record: T) => string): [key: string, record: T][] {
  return [...new Map(records.map((record) => [keyOf(record), record]))]
}

/** Takes the transaction back without being a failure. */
class Conflict extends Error {}

async function commit(db: Database, entry: Commit): Promise<'done' | 'repeated' | 'conflict'> {
  try {
    return await db.transaction(async (trx) => {
      if (!(await insertChange(trx, entry.change, CONNECTOR, 'done'))) return 'repeated'
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
      if (await insertChange(db.executor, change, connector, 'started')) return 'fresh'
      // Gone again: the attempt that held the key failed without effect. It may be another's turn by now.
      return (await findChangeState(db.executor, change.idempotency_key)) ?? 'started'
    },
    finish: (idempotencyKey, state) =>
      state === 'done' ? finishChange(db.executor, idempotencyKey) : forgetChange(db.executor, idempotencyKey),
  }
}
