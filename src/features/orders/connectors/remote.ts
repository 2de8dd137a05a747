import { AppError } from '../../../kernel/errors.ts'
import { orderKey } from '../../../privacy/index.ts'
import { toCustomer, toOrder } from '../record-import.ts'
import { type BusinessConnector, CHANGE_KINDS, type ChangeKind, type Customer, type Order } from '../types.ts'
import { mapRecord, mapRecords, type ResponseMapping } from './mapping.ts'
import { type TemplateValues, valuesOfChange, valuesOfOrder } from './template.ts'

/** Runs a call unless the system is known to be down; counts how it ended. */
export interface CallGuard {
  run<T>(fn: () => Promise<T>): Promise<T>
}

export type OperationName = 'find_order' | 'find_customer' | 'list_orders' | 'apply_change'

/** Answer of another system: a JSON value, `null` for “there is none”, or that the record is not as expected. */
export type RemoteAnswer = { readonly value: unknown } | 'conflict' | null

/** A system that is called by named operations; the protocols differ only in how a call is made. */
export interface RemoteSystem {
  readonly name: string
  readonly operations: Partial<
    Record<
      OperationName,
      { readonly response?: ResponseMapping | undefined; readonly kinds?: readonly ChangeKind[] | undefined }
    >
  >
  /** Rejects when the system fails. */
  call(operation: OperationName, values: TemplateValues): Promise<RemoteAnswer>
  close?(): Promise<void>
}

function unusable(name: string, what: string, cause?: unknown): AppError {
  return new AppError('unavailable', 'connector_bad_response', `${name}: ${what}`, { cause })
}

function checked<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw unusable(name, cause instanceof Error ? cause.message : 'unreadable record', cause)
  }
}

/** A remote system as a connector: answers are mapped to our fields and their types are checked. */
export function createRemoteConnector(system: RemoteSystem): BusinessConnector {
  const { name, operations } = system

  async function record<T>(
    operation: OperationName,
    values: TemplateValues,
    read: (row: unknown) => T,
  ): Promise<T | null> {
    const answer = await system.call(operation, values)
    if (answer === null || answer === 'conflict') return null
    const mapped = mapRecord(answer.value, operations[operation]?.response)
    return mapped === null ? null : checked(name, () => read(mapped))
  }

  async function findOrder(orderId: string): Promise<Order | null> {
    const order = await record('find_order', valuesOfOrder(orderId), toOrder)
    if (order && orderKey(order.order_id) !== orderKey(orderId)) throw unusable(name, 'answered with another order')
    return order
  }

  async function listOrdersOf(userId: string): Promise<Order[]> {
    const answer = await system.call('list_orders', { user_id: userId })
    if (answer === null || answer === 'conflict') return []
    const rows = mapRecords(answer.value, operations.list_orders?.response)
    if (!rows) throw unusable(name, 'answered list_orders without a list')
    return checked(name, () => rows.map(toOrder))
  }

  return {
    name,
    changes: operations.apply_change ? (operations.apply_change.kinds ?? CHANGE_KINDS) : [],
    identifiesCustomers: operations.find_customer !== undefined,
    listsOrders: operations.list_orders !== undefined,
    findCustomer: (userId) => record<Customer>('find_customer', { user_id: userId }, toCustomer),
    findOrder,
    listOrdersOf,
    applyChange: async (change) => {
      const answer = await system.call('apply_change', valuesOfChange(change))
      return { status: answer === null || answer === 'conflict' ? 'conflict' : 'done' }
    },
  }
}
