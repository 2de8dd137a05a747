import type { Scene } from '../../language/scenes.ts'

export type Language = 'zh' | 'en'
/** `customer`: the person of the session, who sees only their own. `agent`: staff, who see masked values. */
export type Role = 'customer' | 'agent'

export interface OrderItem {
  name: string
  item_id?: string
  product_id?: string
  /** Of one piece, in the currency of the order. */
  price?: number
  /** Absent: one. */
  quantity?: number
  options?: Record<string, string>
}

export interface Payment {
  transaction_type: string
  amount: number | null
  payment_method_id: string | null
}

/** Free-form parts; `address1` holds the whole address where only one line is known. */
export type Address = Record<string, string>

/** An order as the embedded records keep it and as connectors deliver it. */
export interface Order {
  order_id: string
  /** The owner; null when the source does not say, and then no customer sees the order. */
  user_id: string | null
  first_name?: string
  last_name?: string
  email?: string
  /** As the shop writes it; `pending`, `processed`, `delivered` and `cancelled` have translations and rules. */
  status: string
  items: OrderItem[]
  total: number | null
  /** ISO 4217; absent: not shown. */
  currency?: string
  tracking_ids: string[]
  payment_history: Payment[]
  address: Address | null
  cancel_reason: string | null
  /** Items that the customer named when a return or an exchange was requested. */
  requested_items?: string[]
  /** ISO 8601. */
  ordered_at?: string
  /** ISO 8601; set where a return window applies. */
  delivered_at?: string
}

export interface PaymentMethod {
  source: string
  id: string
  brand?: string
  last_four?: string
  balance?: number
}

export interface Customer {
  user_id: string
  name: { first_name?: string; last_name?: string } | string | null
  email: string | null
  phone?: string
  address: Address | null
  payment_methods: Record<string, PaymentMethod>
}

/** `account_address` changes the customer's default address, the others an order. */
export const CHANGE_KINDS = ['cancel', 'return', 'exchange', 'address', 'account_address'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** A confirmed change. The same `idempotency_key` is carried out once, however often it is sent. */
export interface Change {
  idempotency_key: string
  kind: ChangeKind
  user_id: string
  /** Null for `account_address`. */
  order_id: string | null
  /** The status that the customer was told; another one by now is a conflict. Null for `account_address`. */
  expected_status: string | null
  /** Names of the items that a return or an exchange is about. */
  items: string[]
  reason: string | null
  /** The new address as written, for the two address changes. */
  address: string | null
}

/** A change that was made, as a session remembers it: without the address. */
export type DoneChange = Pick<Change, 'kind' | 'order_id' | 'items'>

export interface ChangeOutcome {
  /**
   * `repeated`: this key was carried out before. `conflict`: the record changed meanwhile, nothing was done.
   * `unknown`: an earlier attempt may or may not have reached the other system; it is not repeated.
   */
  status: 'done' | 'repeated' | 'conflict' | 'unknown'
  order?: Order | null
}

/**
 * A shop's own system. Methods reject when the system fails; an unknown id is null or an empty list, not a failure.
 * `changes` lists what can be changed through it; `identifiesCustomers` is false when it knows orders only, and then
 * a customer is verified by being the owner that the order names.
 */
export interface BusinessConnector {
  readonly name: string
  readonly changes: readonly ChangeKind[]
  readonly identifiesCustomers: boolean
  readonly listsOrders: boolean
  findCustomer(userId: string): Promise<Customer | null>
  findOrder(orderId: string): Promise<Order | null>
  listOrdersOf(userId: string): Promise<Order[]>
  applyChange(change: Change): Promise<ChangeOutcome>
}

/** Chooses the system that serves a scene. */
export interface ConnectorRegistry {
  /** Systems beside the embedded records are connected. */
  readonly serves: boolean
  forScene(scene: Scene): BusinessConnector
  /** Stops clients and child processes. */
  close(): Promise<void>
}
