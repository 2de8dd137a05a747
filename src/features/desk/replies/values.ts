import { maskRecord } from '../../../privacy/index.ts'
import type { Customer, Order } from '../../orders/index.ts'
import type { Variable } from './variables.ts'

export interface KnownFacts {
  sessionId: string
  /** Empty: nobody was named. */
  userId: string
  agentName: string
  /** Of the shop's records; null: it has none. */
  customer: Customer | null
  order: Order | null
}

/** Values of all variables that are known, personal ones masked as look-ups show them. */
export function valuesOf({
  sessionId,
  userId,
  agentName,
  customer,
  order,
}: KnownFacts): Partial<Record<Variable, string>> {
  const shownOrder = order && (maskRecord(order).data as Order)
  return {
    'session.id': sessionId,
    'agent.name': agentName,
    'customer.id': userId,
    'customer.name': customer ? nameOf(maskRecord(customer).data as Customer) : '',
    'order.id': shownOrder?.order_id ?? '',
    'order.status': shownOrder?.status ?? '',
    'order.tracking_id': shownOrder?.tracking_ids[0] ?? '',
  }
}

function nameOf({ name }: Customer): string {
  if (name === null || typeof name === 'string') return name ?? ''
  const { first_name: first = '', last_name: last = '' } = name
  return /\p{Script=Han}/u.test(last) ? `${last}${first}` : `${first} ${last}`.trim()
}

/** The order that is meant: the one that was named, the one last spoken of, or the only one there is; null: unclear. */
export function orderMeant(
  own: readonly Order[],
  { named, spokenOf }: { named: string; spokenOf: readonly string[] },
): Order | null {
  const byNumber = (number: string) => own.find(({ order_id }) => plain(order_id) === plain(number)) ?? null
  if (named !== '') return byNumber(named)
  const [latest, ...others] = spokenOf
  if (latest !== undefined) return others.length === 0 ? byNumber(latest) : null
  return own.length === 1 ? (own[0] ?? null) : null
}

const plain = (number: string): string => number.replace(/^#/, '').toLowerCase()
