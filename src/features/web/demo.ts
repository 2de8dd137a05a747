import { SignJWT } from 'jose'

/** The widget of the sample shop, customers whom a visitor may be, and pages of its help centre. */
export interface Demo {
  key: string
  identitySecret: string
  customers: readonly DemoCustomer[]
  help: readonly HelpPage[]
}

export interface DemoCustomer {
  userId: string
  name: string
}

/** A document of the sample shop as customers read it. */
export interface HelpPage {
  /** Last part of its address. */
  name: string
  language: 'zh' | 'en'
  title: string
  passages: readonly { headingPath: readonly string[]; question: string | null; content: string }[]
}

/** Orders of customers as they are now. */
export type RecordsOf = (asked: { userIds: readonly string[]; orderIds: readonly string[] }) => Promise<{
  orders: readonly { order_id: string; status: string; items: readonly { name: string }[] }[]
}>

const LIFE = '1h'

/** Answer to the demo's page, as a shop's server gives it: with a word on who the customer is, and their orders. */
export async function describeDemo(
  { key, identitySecret, customers, help }: Demo,
  userId: string | undefined,
  recordsOf: RecordsOf,
) {
  const customer = customers.find((each) => each.userId === userId)
  return {
    key,
    identity: customer ? await signCustomer(customer, identitySecret) : null,
    customers,
    orders: customer ? await ordersOf(customer, recordsOf) : [],
    help: help.map(({ name, language, title }) => ({ name, language, title })),
  }
}

async function ordersOf({ userId }: DemoCustomer, recordsOf: RecordsOf) {
  const { orders } = await recordsOf({ userIds: [userId], orderIds: [] })
  return orders.map(({ order_id: orderId, status, items }) => ({
    orderId,
    status,
    items: items.map(({ name }) => name),
  }))
}

function signCustomer({ userId, name }: DemoCustomer, secret: string): Promise<string> {
  return new SignJWT({ name })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setExpirationTime(LIFE)
    .sign(new TextEncoder().encode(secret))
}
