import { sql } from 'kysely'
import { type Answer, createTestApp, type TestApp } from './test-app.ts'

/** A customer's order that may be cancelled. */
export const ANNA_ORDER = {
  order_id: '#W1000001',
  user_id: 'anna_1',
  status: 'pending',
  items: [{ name: 'Lamp', item_id: '1', product_id: '2', price: 30, options: {} }],
  address: { address1: '7 Elm Road', city: 'Berlin', country: 'DE', zip: '10115' },
}
const CUSTOMERS = ['anna_1', 'bert_2'].map((user_id) => ({ user_id, address: ANNA_ORDER.address }))
const GUIDE = [
  '# Warranty',
  '## How long is the warranty of lamps?\n\nEvery lamp has a warranty of two years.',
  '## How long is the warranty of chairs?\n\nEvery chair has a warranty of five years.',
].join('\n\n')

export interface Asked {
  message: string
  session_id?: string | null
  user_id?: string | null
}

export interface Orders {
  test: TestApp
  call(body: Asked): Promise<Answer>
  /** The body of an answer that must be 200. */
  ask(body: Asked): Promise<Answer['body']>
  order(): Promise<Record<string, unknown>>
  orderStatus(): Promise<string>
  /** The order as it was. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** The whole program with two customers, an order of one of them, and a page of knowledge. */
export async function openOrders(environment: Record<string, string> = {}): Promise<Orders> {
  const test = await createTestApp(environment)
  const call = (body: Asked) => test.call('POST', '/api/v1/chat', body)
  const restore = () => load(test, 'orders', [ANNA_ORDER])
  const order = async (): Promise<Record<string, unknown>> => {
    const { rows } = await sql<{ record: Record<string, unknown> }>`select record from business_orders
      where order_id = '#W1000001'`.execute(test.db.executor)
    return rows[0]?.record ?? {}
  }
  await load(test, 'customers', CUSTOMERS)
  await restore()
  await test.upload(GUIDE, 'warranty.md')
  return {
    test,
    call,
    async ask(body) {
      const answer = await call(body)
      if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    order,
    orderStatus: async () => String((await order()).status),
    restore,
    close: () => test.close(),
  }
}

async function load(test: TestApp, kind: string, records: readonly object[]): Promise<void> {
  const form = new FormData()
  form.set('kind', kind)
  form.set('file', new File([JSON.stringify(records)], `${kind}.json`))
  const encoded = new Response(form)
  const payload = Buffer.from(await encoded.arrayBuffer())
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  await test.call('POST', '/api/v1/business/import', payload, headers)
}
