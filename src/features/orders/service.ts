import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { runBusiness } from './agent.ts'
import {
  type BusinessConfig,
  type CallGuard,
  createConnectorRegistry,
  createConnectors,
  readBusinessConfig,
} from './connectors/index.ts'
import { readImport } from './import-thread.ts'
import type { BusinessPolicy } from './policy.ts'
import { hasRecords } from './queries.ts'
import type { ImportKind, ParsedImport } from './record-import.ts'
import { createChangeLedger, createRecordStore } from './record-store.ts'
import { createRecordsConnector, type RecordStore } from './records.ts'
import type { BusinessRequest, BusinessResult } from './turn.ts'

export interface BusinessOptions {
  db: Database
  /** The YAML file of connectors; empty: the embedded records alone. */
  configPath: string
  /** Fills the names in the connector file that stand for secrets. */
  environment: Readonly<Record<string, string | undefined>>
  breakers: { get(name: string): CallGuard }
  policy: BusinessPolicy
  clock: Clock
  log: Log
}

export type Business = ReturnType<typeof createBusiness>

/** The shop's own systems: embedded records, and the connectors of a configuration file. Throws when that is wrong. */
export function createBusiness(options: BusinessOptions) {
  const { db, policy, clock, log } = options
  const store = createRecordStore(db)
  const connectors = createConnectorRegistry(createRecordsConnector(store), connectorsOf(options))

  let isFilled = connectors.serves

  return {
    /** Whether there is anything to show to a customer who is known. Without, nobody need say who they are. */
    async holdsRecords(): Promise<boolean> {
      isFilled ||= await hasRecords(db.executor)
      return isFilled
    },

    /** One message about orders or the account; never rejects. */
    run: (request: Pick<BusinessRequest, 'talk' | 'session' | 'language' | 'role'>): Promise<BusinessResult> =>
      runBusiness({
        ...request,
        connectors,
        policy,
        clock,
        newId: () => newId('change'),
        onFailure: (error) => log.warn({ err: error }, 'A business system failed'),
      }),

    /**
     * Loads embedded records, some hundred in a transaction, so that whoever else needs the database gets a turn. Throws
     * bad_request for an unsupported file and invalid for a broken one, before anything is stored. The `failed` rows were
     * left out; `errors` says why for the first 100.
     */
    async importRecords(kind: ImportKind, file: { name: string; bytes: Uint8Array }) {
      const outcome = { kind, imported: 0, updated: 0, failed: 0, errors: [] as string[] }
      for await (const batch of readImport(kind, file)) {
        const { imported, updated } = await save(store, batch)
        outcome.imported += imported
        outcome.updated += updated
        outcome.failed += batch.failed
        outcome.errors.push(...batch.errors)
      }
      return outcome
    },

    /** Records that the shop's systems hold of customers, and of some orders and their owners. Rejects when one fails. */
    async recordsOf({ userIds: asked, orderIds }: { userIds: readonly string[]; orderIds: readonly string[] }) {
      const orders = connectors.forScene('order_status')
      const named = await Promise.all(orderIds.map((orderId) => orders.findOrder(orderId)))
      const own = orders.listsOrders ? await Promise.all(asked.map((userId) => orders.listOrdersOf(userId))) : []
      const found = [...own.flat(), ...named.filter((order) => order !== null)]
      const userIds = new Set([...asked, ...found.map((order) => order.user_id ?? '')].filter((id) => id !== ''))
      const accounts = connectors.forScene('account')
      const customers = await Promise.all([...userIds].map((id) => accounts.findCustomer(id)))
      return { orders: found, customers: customers.filter((customer) => customer !== null) }
    },

    close: () => connectors.close(),
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

/** A fault in the file is for the operator to read, so it is no internal error. */
function readConfig(path: string, environment: BusinessOptions['environment']): BusinessConfig {
  try {
    return readBusinessConfig(path, environment)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('invalid', 'business_config', `BUSINESS_CONFIG: ${reason}`, { cause })
  }
}
