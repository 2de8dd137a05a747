import { isDeepStrictEqual } from 'node:util'
import { formatAmount } from '../../src/features/orders/replies.ts'
import type { Customer, Order } from '../../src/features/orders/types.ts'

/** Is everything of the order in the reply, as it is on record, and no other tracking number? */
export function checkReply(order: Order, reply: string) {
  const numbers: string[] = reply.match(/(?<!\d)\d{12}(?!\d)/g) ?? []
  const items = order.items.every(
    ({ name, price, options }) =>
      reply.includes(name) &&
      (price === undefined || reply.includes(formatAmount(price))) &&
      Object.values(options ?? {}).every((value) => reply.includes(value)),
  )
  return {
    status: reply.includes(order.order_id) && reply.includes(order.status),
    items,
    total: order.total === null || reply.includes(formatAmount(order.total)),
    tracking: isDeepStrictEqual(numbers, order.tracking_ids),
  }
}

/** Is the order that a person is shown the one on record, in what is not personal? */
export function checkData(order: Order, shown: Partial<Order> | undefined): boolean {
  return (
    shown?.order_id === order.order_id &&
    shown.status === order.status &&
    shown.total === order.total &&
    isDeepStrictEqual(shown.items, order.items) &&
    isDeepStrictEqual(shown.tracking_ids, order.tracking_ids)
  )
}

/** Whether a reply gives away anything of an order beside the number that was asked for. */
export function tells(order: Order, reply: string): boolean {
  const facts = [
    ...order.tracking_ids,
    ...order.items.map(({ name }) => name),
    ...(order.total === null ? [] : [formatAmount(order.total)]),
  ]
  return facts.some((fact) => reply.includes(fact))
}

/** Personal values of an order and its owner, as they are on record: name, e-mail, phone, address, payment ids. */
export function secretsOf(order: Order, customers: readonly Customer[]): string[] {
  const owner = customers.find(({ user_id }) => user_id === order.user_id)
  const names = typeof owner?.name === 'object' ? Object.values(owner.name ?? {}) : []
  const addresses = [order.address, owner?.address].flatMap((address) => [
    address?.address1,
    address?.address2,
    address?.zip,
  ])
  const payments = order.payment_history.map((payment) => payment.payment_method_id)
  const methods = Object.keys(owner?.payment_methods ?? {})
  const values = [order.email, owner?.email, owner?.phone, order.first_name, order.last_name]
  const all = [...values, ...names, ...addresses, ...payments, ...methods]
  // A single character, such as a Chinese given name, stands in any text.
  return [...new Set(all.filter((value): value is string => typeof value === 'string' && value.length > 1))]
}

/** The secrets that stand in a text as words of their own. */
export function leaksIn(text: string, secrets: readonly string[]): string[] {
  return secrets.filter(
    (secret) =>
      text.includes(secret) && new RegExp(`(?<![A-Za-z0-9])${RegExp.escape(secret)}(?![A-Za-z0-9])`).test(text),
  )
}
