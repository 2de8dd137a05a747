import { SignJWT } from 'jose'

/** The widget of the sample shop, and customers whom a visitor may be. */
export interface Demo {
  key: string
  identitySecret: string
  customers: readonly DemoCustomer[]
}

export interface DemoCustomer {
  userId: string
  name: string
  orders: readonly { orderId: string; items: string; status: string }[]
}

const LIFE = '1h'

/** Answer to the demo's page, as a shop's server gives it: with a word on who the customer is. */
export async function describeDemo({ key, identitySecret, customers }: Demo, userId: string | undefined) {
  const customer = customers.find((each) => each.userId === userId)
  return { key, identity: customer ? await signCustomer(customer, identitySecret) : null, customers }
}

function signCustomer({ userId, name }: DemoCustomer, secret: string): Promise<string> {
  return new SignJWT({ name })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setExpirationTime(LIFE)
    .sign(new TextEncoder().encode(secret))
}
