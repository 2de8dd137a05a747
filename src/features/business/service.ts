import { type BusinessRequest, type BusinessResult, runBusiness } from '../../business/agent.ts'
import {
  type BusinessConfig,
  type CallGuard,
  createConnectors,
  readBusinessConfig,
} from '../../business/connectors/index.ts'
import { createDirectory } from '../../business/directory.ts'
import { readImport } from '../../business/import-thread.ts'
import type { BusinessPolicy } from '../../business/policy.ts'
import type { ImportKind, ParsedImport } from '../../business/record-import.ts'
import { createRecordsConnector, type RecordStore } from '../../business/records.ts'
import type { Customer, Order } from '../../business/types.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { createChangeLedger, createRecordStore } from './records.ts'

export interface BusinessOptions {
  db: Database
  /** The YAML file of connectors; empty: the embedded records alone. */
  configPath: string
  /** Fills the names in the connector file that stand for secrets. */
  environment: Readonly<Record<string, string | undefined>>
  breakers: { get(name: string): CallGuard }
  policy: BusinessPolicy
  clock: Clock
  log: { warn(details: object, message: string): void }
}

export interface ImportOutcome {
  kind: ImportKind
  imported: number
  updated: number
  /** Rows that were left out; `errors` says why for the first 100. */
  failed: number
  errors: string[]
}

export interface RecordsRequest {
  userIds: readonly string[]
  orderIds: readonly string[]
}

export interface RecordsOf {
  customers: Customer[]
  orders: Order[]
}

export type Business = ReturnType<typeof createBusiness>

/** The shop's own systems: embedded records, and the connectors of a configuration file. Throws when that is wrong. */
export function createBusiness(options: BusinessOptions) {
  const { db, policy, clock, log } = options
  const store = createRecordStore(db)
  const directory = createDirectory(createRecordsConnector(store), connectorsOf(options))

  return {
    /** One message about orders or the account; never rejects. */
    run: (request: Pick<BusinessRequest, 'query' | 'session' | 'language' | 'role'>): Promise<BusinessResult> =>
      runBusiness({
        ...request,
        directory,
        policy,
        clock,
        newId: () => newId('change'),
        onFailure: (error) => log.warn({ err: error }, 'A business system failed'),
      }),

    /**
     * Loads embedded records, some hundred in a transaction, so that whoever else needs the database gets a turn. Throws
     * bad_request for an unsupported file and invalid for a broken one, before anything is stored.
     */
    async importRecords(kind: ImportKind, file: { name: string; bytes: Uint8Array }): Promise<ImportOutcome> {
      const outcome: ImportOutcome = { kind, imported: 0, updated: 0, failed: 0, errors: [] }
      for await (const batch of readImport(kind, file)) {
        const { imported, updated } = await save(store, batch)
        outcome.imported += imported
        outcome.updated += updated
        outcome.failed += batch.failed
        outcome.errors.push(...batch.errors)
      }
      return outcome
    },

    /** What the shop's systems hold of customers, and of some orders and their owners. Rejects when one fails. */
    async recordsOf({ userIds: asked, orderIds }: RecordsRequest): Promise<RecordsOf> {
      const orders = directory.forScene('order_status')
      const named = await Promise.all(orderIds.map((orderId) => orders.findOrder(orderId)))
      const own = orders.listsOrders ? await Promise.all(asked.map((userId) => orders.listOrdersOf(userId))) : []
      const found = [...own.flat(), ...named.filter((order) => order !== null)]
      const userIds = new Set([...asked, ...found.map((order) => order.user_id ?? '')].filter((id) => id !== ''))
      const accounts = directory.forScene('account')
      const customers = await Promise.all([...userIds].map((id) => accounts.findCustomer(id)))
      return { orders: found, customers: customers.filter((customer) => customer !== null) }
    },

    close: () => directory.close(),
  }
}

function save(store: RecordStore, batch: ParsedImport): Promise<{ imported: number; updated: number }> {
  return batch.kind === 'orders' ? store.saveOrders(batch.records) : store.saveCustomers(batch.records)
}

/** The only connector of a shop has the breaker `business`; of several each has its own. */
function connectorsOf({ db, configPath, environment, breakers }: BusinessOptions) {
  if (configPath === '') return []
  const config = readConfig(configPath, environment)
  const isOnly = config.connectors.length === 1
  const breakerFor = (name: string): CallGuard => breakers.get(isOnly ? 'business' : `business:${name}`)
  return createConnectors(config, { breakerFor, ledger: createChangeLedger(db) })
}

/** What is wrong with the file is for the operator to read, so it is no internal error. */
function readConfig(path: string, environment: BusinessOptions['environment']): BusinessConfig {
  try {
    return readBusinessConfig(path, environment)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('invalid', 'business_config', `BUSINESS_CONFIG: ${reason}`, { cause })
  }
}
