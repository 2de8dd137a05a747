import { findPersonal, findReferences } from '../../privacy/index.ts'
import type { Customer, Order } from '../orders/index.ts'

/** Something that belongs to one customer, and must not be told to the others. */
export interface CustomerValue {
  text: string
  kind: string
  /** Also a common word, perhaps: found only as it is written here. */
  asWritten?: boolean
}

/** The shop's records of the customers that a solution is about. */
export interface CustomerRecords {
  customers: readonly Customer[]
  orders: readonly Order[]
}

/** References are looked for in the beginning of a text only. */
const REFERENCE_CHARACTERS = 2_000
const MIN_UNCERTAIN_DIGITS = 8
/** Numbers that every customer may call. */
const HOTLINE = /^(?:400|800)/

/** Values that customers told of themselves: names, numbers, addresses, and the orders that they asked about. */
export function valuesOfMessages(messages: readonly string[]): CustomerValue[] {
  return messages.flatMap((message) => [
    ...findPersonal(message).flatMap(({ start, end, kind }) => {
      const text = message.slice(start, end)
      return kind === 'name' ? nameValues(text) : [{ text, kind }]
    }),
    ...referencesIn(message),
  ])
}

/** The order and tracking numbers of a text. */
export function referencesIn(text: string): CustomerValue[] {
  const values: CustomerValue[] = []
  for (let start = 0; start < text.length; start += REFERENCE_CHARACTERS) {
    for (const { text: written, certain } of findReferences(text.slice(start, start + REFERENCE_CHARACTERS))) {
      const number = written.replace(/^#/, '')
      const isLikely = number.length >= MIN_UNCERTAIN_DIGITS && !HOTLINE.test(number)
      if (certain || isLikely) values.push({ text: number, kind: 'order' })
    }
  }
  return values
}

export function valuesOfRecords({ customers, orders }: CustomerRecords): CustomerValue[] {
  return [...customers.flatMap(valuesOfCustomer), ...orders.flatMap(valuesOfOrder)]
}

function valuesOfCustomer({ user_id, name, email, phone, address, payment_methods }: Customer): CustomerValue[] {
  const parts = typeof name === 'string' ? [name] : [name?.first_name, name?.last_name]
  return [
    { text: user_id, kind: 'account' },
    ...nameValues(textOf(parts)),
    ...some(email, 'email'),
    ...some(phone, 'phone'),
    ...addressValues(address),
    ...Object.values(payment_methods ?? {}).flatMap(({ id }) => some(id, 'payment')),
  ]
}

function valuesOfOrder(order: Order): CustomerValue[] {
  return [
    { text: order.order_id, kind: 'order' },
    ...nameValues(textOf([order.first_name, order.last_name])),
    ...some(order.email, 'email'),
    ...order.tracking_ids.map((text) => ({ text, kind: 'tracking' })),
    ...addressValues(order.address),
    ...order.payment_history.flatMap(({ payment_method_id }) => some(payment_method_id, 'payment')),
  ]
}

/** A whole name, however it is written, and each part of it, as it is written: Rose may be a flower too. */
function nameValues(name: string): CustomerValue[] {
  const parts = name.split(/\s+/).filter((part) => part !== '')
  const whole = { text: name, kind: 'name' }
  if (parts.length < 2) return /\p{Script=Han}/u.test(name) ? [whole] : [{ ...whole, asWritten: true }]
  return [whole, ...parts.map((text) => ({ text, kind: 'name', asWritten: true }))]
}

/** The lines that lead to a door; a city or a country leads to nobody. */
function addressValues(address: Record<string, string> | null): CustomerValue[] {
  return Object.entries(address ?? {})
    .filter(([key]) => /addr|street|line|detail|地址|街/i.test(key))
    .flatMap(([, text]) => some(text, 'address'))
}

function some(text: string | null | undefined, kind: string): CustomerValue[] {
  return text ? [{ text, kind }] : []
}

function textOf(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ').trim()
}
