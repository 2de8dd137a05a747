import type { ChangeKind, Order } from './types.ts'

/** The shop's rules: what it allows, and when. Statuses are compared in lower case. */
export interface BusinessPolicy {
  readonly cancellableStatuses: readonly string[]
  readonly returnableStatuses: readonly string[]
  readonly exchangeableStatuses: readonly string[]
  readonly addressEditableStatuses: readonly string[]
  /** Cancellations and returns of orders above this total go to a person. Null: no limit. */
  readonly reviewAboveTotal: number | null
  /** Days after `delivered_at`; an order without that time is not limited. Null: no limit. */
  readonly returnWindowDays: number | null
  /** Working days until a refund arrives that does not go to a gift card. Null: nothing is promised. */
  readonly refundDays: readonly [least: number, most: number] | null
  /** How long a question for confirmation stays open. */
  readonly confirmationTtlSeconds: number
}

export const DEFAULT_POLICY: BusinessPolicy = {
  cancellableStatuses: ['pending'],
  returnableStatuses: ['delivered'],
  exchangeableStatuses: ['delivered'],
  addressEditableStatuses: ['pending'],
  reviewAboveTotal: null,
  returnWindowDays: null,
  refundDays: null,
  confirmationTtlSeconds: 600,
}

export type Refusal = 'wrong_status' | 'too_expensive' | 'too_late' | 'unsupported'

function statusesFor(policy: BusinessPolicy, kind: ChangeKind): readonly string[] {
  switch (kind) {
    case 'cancel':
      return policy.cancellableStatuses
    case 'return':
      return policy.returnableStatuses
    case 'exchange':
      return policy.exchangeableStatuses
    default:
      return policy.addressEditableStatuses
  }
}

/** Why the policy forbids a change of an order, or null. `nowMs` is the time of day in milliseconds. */
export function refusalOf(kind: ChangeKind, order: Order, policy: BusinessPolicy, nowMs: number): Refusal | null {
  if (!statusesFor(policy, kind).includes(order.status.toLowerCase())) return 'wrong_status'
  const paysBack = kind === 'cancel' || kind === 'return'
  if (paysBack && policy.reviewAboveTotal !== null && (order.total ?? 0) > policy.reviewAboveTotal)
    return 'too_expensive'
  const isReturn = kind === 'return' || kind === 'exchange'
  if (isReturn && policy.returnWindowDays !== null && order.delivered_at !== undefined) {
    const ageDays = (nowMs - Date.parse(order.delivered_at)) / 86_400_000
    if (ageDays > policy.returnWindowDays) return 'too_late'
  }
  return null
}
