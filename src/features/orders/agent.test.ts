import { beforeEach, describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../../test/support/memory-records.ts'
import { readOrderTalk } from '../../language/order-talk.ts'
import { findReferences } from '../../privacy/index.ts'
import { runBusiness } from './agent.ts'
import { createConnectorRegistry } from './connectors/index.ts'
import { DEFAULT_POLICY } from './policy.ts'
import { createRecordsConnector, type RecordStore } from './records.ts'
import type { BusinessRequest, BusinessResult } from './turn.ts'
import type { BusinessConnector, Customer, Order } from './types.ts'

function order(id: string, status: string, items: string[], more: Partial<Order> = {}): Order {
  return {
    order_id: id,
    user_id: 'mei_lin_1',
    first_name: 'Mei',
    last_name: 'Lin',
    email: 'mei.lin7@example.com',
    status,
    items: items.map((name, index) => ({ name, price: 47.8 + index, options: { color: 'blue' } })),
    total: 536.65,
    tracking_ids: status === 'pending' ? [] : ['357962501027'],
    payment_history: [{ transaction_type: 'payment', amount: 536.65, payment_method_id: 'gift_card_1725971' }],
    address: { address1: '215 River Road', city: 'New York', country: 'USA', zip: '10083' },
    cancel_reason: null,
    ...more,
  }
}

const customer: Customer = {
  user_id: 'mei_lin_1',
  name: { first_name: 'Mei', last_name: 'Lin' },
  email: 'mei.lin7@example.com',
  address: { address1: '215 River Road' },
  payment_methods: { paypal_5727330: { source: 'paypal', id: 'paypal_5727330' } },
}

const orders = [
  order('#W1000001', 'delivered', ['Water Bottle', 'Office Chair']),
  order('#W1000002', 'pending', ['Desk Lamp']),
  order('#W1000003', 'processed', ['Tea Kettle']),
  order('#W1000004', 'pending', ['Hiking Boots']),
  order('#W2000001', 'delivered', ['Tablet'], { user_id: 'other_person_2', total: 99.99 }),
]

let store: RecordStore
let connector: BusinessConnector
let nowMs = 0
let ids = 0

beforeEach(async () => {
  store = createMemoryStore()
  await store.saveCustomers([customer, { ...customer, user_id: 'no_orders_3' }])
  await store.saveOrders(orders)
  connector = createRecordsConnector(store)
  nowMs = Date.parse('2026-01-01T00:00:00Z')
})

function ask(query: string, more: Partial<BusinessRequest> & { userId?: string; after?: BusinessResult } = {}) {
  const { userId = 'mei_lin_1', after, ...request } = more
  return runBusiness({
    talk: readOrderTalk(query, findReferences(query)),
    session: { sessionId: 's1', userId, pending: after?.pending ?? null },
    language: /[\u4E00-\u9FFF]/.test(query) ? 'zh' : 'en',
    role: 'customer',
    connectors: createConnectorRegistry(connector),
    policy: DEFAULT_POLICY,
    clock: { now: () => nowMs },
    newId: () => `id${++ids}`,
    ...request,
  })
}

async function statusOf(id: string): Promise<string | undefined> {
  return (await store.findOrder(id))?.record.status
}

describe('lookups', () => {
  it('says status, items, total and tracking exactly, in the language of the customer', async () => {
    const english = await ask('Where is order #W1000001?')
    expect(english).toMatchObject({ outcome: 'answered', scene: 'order_status', error: null, needConfirmation: false })
    expect(english.reply).toBe(
      'Order #W1000001 is delivered. Items: Water Bottle (color: blue) 47.80; Office Chair (color: blue) 48.80. Total: 536.65. Tracking number: 357962501027.',
    )
    const chinese = await ask('订单W1000001到哪了')
    expect(chinese.reply).toBe(
      '订单 #W1000001 状态：已送达（delivered）。商品：Water Bottle（color: blue） 47.80；Office Chair（color: blue） 48.80。合计：536.65。运单号：357962501027。',
    )
  })

  it.each([
    'w1000001',
    '＃Ｗ１０００００１',
    'order no. W1000001 please',
    '我的订单号是W1000001',
    'package 357962501027 where?',
  ])('finds the order in %s', async (query) => {
    expect((await ask(query)).data.orders).toMatchObject([{ order_id: '#W1000001' }])
  })

  it('masks what is personal in the data and names it', async () => {
    const { data, maskedFields } = await ask('Where is order #W1000001?', { role: 'agent' })
    expect(maskedFields).toContain('orders[0].email')
    expect(maskedFields).toContain('orders[0].payment_history[0].payment_method_id')
    expect(JSON.stringify(data)).not.toMatch(/Mei|Lin|River Road|10083|1725971|mei\.lin7/)
  })

  it('treats another customer’s order as an unknown one', async () => {
    const foreign = await ask('Where is order #W2000001?')
    const unknown = await ask('Where is order #W9999999?')
    expect(foreign.outcome).toBe('not_found')
    expect(foreign.reply.replace('W2000001', 'W9999999')).toBe(unknown.reply)
    expect(foreign.error?.replace('W2000001', 'W9999999')).toBe(unknown.error)
    expect(foreign.data).toEqual({ orders: [] })
    const change = await ask('cancel order #W2000001')
    expect(change).toMatchObject({ outcome: 'not_found', needConfirmation: false, pending: null })
  })

  it('shows an agent any order', async () => {
    const { data } = await ask('Where is order #W2000001?', { role: 'agent', userId: '' })
    expect(data.orders).toMatchObject([{ order_id: '#W2000001', total: 99.99 }])
  })

  it.each(['', 'stranger'])('shows nothing to the unverified user “%s”', async (userId) => {
    const result = await ask('Where is order #W1000001?', { userId })
    expect(result).toMatchObject({ outcome: 'unverified', data: {} })
    expect(result.error).not.toBeNull()
  })

  it('asks which order, lists the candidates and understands the answer', async () => {
    const asked = await ask('我的订单什么时候到')
    expect(asked.outcome).toBe('ask')
    expect(asked.data.candidates).toHaveLength(4)
    expect((await ask('第三个', { after: asked })).reply).toContain('#W1000003')
    expect((await ask('#W1000002', { after: asked })).reply).toContain('#W1000002')
    expect((await ask('the kettle one', { after: asked })).reply).toContain('#W1000003')
  })

  it('finds an order by what is in it', async () => {
    expect((await ask('Where are my hiking boots that I ordered?')).reply).toContain('#W1000004')
  })

  it('says so when the customer has no orders', async () => {
    expect(await ask('where is my order', { userId: 'no_orders_3' })).toMatchObject({ outcome: 'not_found' })
  })

  it('shows the account masked', async () => {
    const result = await ask('我的账户信息')
    expect(result).toMatchObject({ scene: 'account', outcome: 'answered' })
    expect(result.reply).toContain('m***@example.com')
    expect(result.maskedFields).toContain('customer.email')
  })
})

describe('changes', () => {
  it.each([
    ['cancel order #W1000002', 'yes', '#W1000002', 'cancelled'],
    ['取消订单#W1000002', '是的，请取消', '#W1000002', 'cancelled'],
    ['I want a refund for order #W1000001', 'Yes please.', '#W1000001', 'return requested'],
    ['订单#W1000001要退货', '确认', '#W1000001', 'return requested'],
    ['exchange order #W1000001 for a red one', 'go ahead', '#W1000001', 'exchange requested'],
    ['订单#W1000001换货', '好的', '#W1000001', 'exchange requested'],
  ])('%s needs a yes first', async (query, yes, id, status) => {
    const before = await statusOf(id)
    const asked = await ask(query)
    expect(asked).toMatchObject({ outcome: 'confirm', needConfirmation: true, error: null })
    expect(await statusOf(id)).toBe(before)
    const done = await ask(yes, { after: asked })
    expect(done).toMatchObject({ outcome: 'done', needConfirmation: false, pending: null })
    expect(await statusOf(id)).toBe(status)
  })

  it('is done once, however often the yes arrives', async () => {
    const asked = await ask('cancel order #W1000002')
    const results = await Promise.all([1, 2, 3].map(() => ask('yes', { after: asked })))
    expect(results.map((result) => result.outcome)).toEqual(['done', 'done', 'done'])
    const refunds = (await store.findOrder('#W1000002'))?.record.payment_history.filter(
      (payment) => payment.transaction_type === 'refund',
    )
    expect(refunds).toEqual([{ transaction_type: 'refund', amount: 536.65, payment_method_id: 'gift_card_1725971' }])
  })

  it.each(['no', '不用了', '算了', "no, don't"])('%s leaves everything', async (answer) => {
    const asked = await ask('cancel order #W1000002')
    expect(await ask(answer, { after: asked })).toMatchObject({ outcome: 'unchanged', pending: null })
    expect(await statusOf('#W1000002')).toBe('pending')
  })

  it.each(['yes, but only the lamp', 'ok?', '好的，不过先等等'])('%s is not a yes', async (answer) => {
    const asked = await ask('cancel order #W1000002')
    expect(await ask(answer, { after: asked })).toMatchObject({ outcome: 'confirm', pending: asked.pending })
    expect(await statusOf('#W1000002')).toBe('pending')
  })

  it('does not take a yes for another order, session, person or role', async () => {
    const asked = await ask('cancel order #W1000002')
    await ask('yes, cancel order #W1000004', { after: asked })
    await ask('yes', { session: { sessionId: 's2', userId: 'mei_lin_1', pending: asked.pending } })
    await ask('yes', { after: asked, userId: 'no_orders_3' })
    await ask('yes', { after: asked, role: 'agent' })
    expect([await statusOf('#W1000002'), await statusOf('#W1000004')]).toEqual(['pending', 'pending'])
  })

  it('lets the question expire', async () => {
    const asked = await ask('cancel order #W1000002')
    nowMs += (DEFAULT_POLICY.confirmationTtlSeconds + 1) * 1000
    expect(await ask('yes', { after: asked })).toMatchObject({ outcome: 'unchanged', pending: null })
    expect(await statusOf('#W1000002')).toBe('pending')
  })

  it('does nothing when the order has moved on since the question', async () => {
    const asked = await ask('cancel order #W1000002')
    await store.saveOrders([{ ...orders[1]!, status: 'processed' }])
    expect(await ask('yes', { after: asked })).toMatchObject({ outcome: 'refused' })
    expect(await statusOf('#W1000002')).toBe('processed')
  })

  it.each([
    ['cancel order #W1000003', 'processed'],
    ['cancel order #W1000001', 'delivered. I can return it instead'],
    ['I want to return order #W1000002', 'pending. I can cancel it instead'],
    ['change the address of order #W1000001 to 12 Elm Street, Denver, CO 80279', 'delivered'],
  ])('%s is refused by the state of the order', async (query, reason) => {
    const result = await ask(query)
    expect(result).toMatchObject({ outcome: 'refused', needConfirmation: false, pending: null, restriction: null })
    expect(result.reply).toContain(reason)
  })

  it('leaves large amounts to a person', async () => {
    const policy = { ...DEFAULT_POLICY, reviewAboveTotal: 500 }
    expect(await ask('cancel order #W1000002', { policy })).toMatchObject({
      outcome: 'refused',
      restriction: expect.stringContaining('a person has to approve it'),
    })
    expect(await ask('exchange order #W1000001', { policy })).toMatchObject({ outcome: 'confirm' })
  })

  it('returns just the items that were named', async () => {
    const asked = await ask('I want to return the chair in order #W1000001')
    await ask('yes', { after: asked })
    expect((await store.findOrder('#W1000001'))?.record.requested_items).toEqual(['Office Chair'])
  })

  it('cancels several orders with one yes', async () => {
    const asked = await ask('please cancel #W1000002 and #W1000004')
    expect((await ask('yes', { after: asked })).outcome).toBe('done')
    expect([await statusOf('#W1000002'), await statusOf('#W1000004')]).toEqual(['cancelled', 'cancelled'])
  })

  it('goes on with a cancellation once the order is chosen', async () => {
    const asked = await ask('I want to cancel my order')
    expect(asked).toMatchObject({ outcome: 'ask', scene: 'cancel' })
    const confirm = await ask('the second one', { after: asked })
    expect(confirm).toMatchObject({ outcome: 'confirm', scene: 'cancel' })
    expect(confirm.reply).toContain('#W1000004')
  })

  it('asks for a new address and shows the customer what was understood', async () => {
    const asked = await ask('我要修改订单#W1000002的收货地址')
    expect(asked).toMatchObject({ outcome: 'ask', scene: 'address' })
    const confirm = await ask('浙江省杭州市西湖区文三路478号', { after: asked })
    expect(confirm).toMatchObject({ outcome: 'confirm' })
    expect(confirm.reply).toContain('浙江省杭州市西湖区文三路478号')
    expect(JSON.stringify(confirm.data)).not.toContain('文三路')
    await ask('是', { after: confirm })
    expect((await store.findOrder('#W1000002'))?.record.address).toEqual({ address1: '浙江省杭州市西湖区文三路478号' })
  })

  it('changes the default address', async () => {
    const asked = await ask('Please change my default address to 12 Elm Street, Denver, CO 80279')
    await ask('yes', { after: asked })
    expect((await store.findCustomer('mei_lin_1'))?.record.address).toEqual({
      address1: '12 Elm Street, Denver, CO 80279',
    })
  })

  it('lets an agent change only what belongs to the customer of the session', async () => {
    const foreign = await ask('cancel order #W2000001', { role: 'agent' })
    expect(foreign).toMatchObject({ outcome: 'refused', pending: null, restriction: null })
    const asked = await ask('change the address of order #W1000002 to 12 Elm Street, Denver, CO 80279', {
      role: 'agent',
    })
    expect(asked.reply).not.toContain('Elm')
    expect(await ask('yes', { role: 'agent', after: asked })).toMatchObject({ outcome: 'done' })
  })

  it('tells how far a refund is', async () => {
    await ask('yes', { after: await ask('cancel order #W1000002') })
    const result = await ask('订单#W1000002的退款到账了吗')
    expect(result).toMatchObject({ scene: 'refund', outcome: 'answered' })
    expect(result.reply).toContain('536.65')
  })
})

describe('failures', () => {
  it('says that the system fails and keeps the question', async () => {
    const asked = await ask('cancel order #W1000002')
    const failures: unknown[] = []
    connector = { ...connector, findCustomer: () => Promise.reject(new Error('down')) }
    const result = await ask('yes', { after: asked, onFailure: (error) => failures.push(error) })
    expect(result).toMatchObject({ outcome: 'failed', data: {}, pending: asked.pending })
    expect(failures).toEqual([new Error('down')])
  })

  it('does not claim a change that failed', async () => {
    const asked = await ask('cancel order #W1000002')
    connector = { ...connector, applyChange: () => Promise.reject(new Error('down')) }
    const result = await ask('yes', { after: asked })
    expect(result).toMatchObject({ outcome: 'failed', pending: null })
    expect(result.error).not.toBeNull()
  })

  it('hands a change that the system does not offer to a person', async () => {
    connector = { ...connector, changes: [] }
    expect(await ask('cancel order #W1000002')).toMatchObject({ outcome: 'refused', needConfirmation: false })
  })
})

describe('dates', () => {
  it('are shown where they can be read, and find what was ordered then', async () => {
    await store.saveOrders([
      { ...orders[1]!, ordered_at: '2025-12-31T08:00:00Z' },
      { ...orders[3]!, ordered_at: 'last spring' },
    ])
    const found = await ask('what did I order yesterday?')
    expect(found.reply).toContain('Order #W1000002 is pending. Ordered on 2025-12-31.')
    expect((await ask('status of #W1000004')).reply).not.toContain('Ordered on')
  })

  it('say so when nothing was ordered then', async () => {
    await store.saveOrders(orders.map((each) => ({ ...each, ordered_at: '2025-11-02T08:00:00Z' })))
    expect((await ask('cancel what I ordered yesterday')).reply).toContain('I see no order of that time.')
  })
})

it('never names what is spoken of to another customer', async () => {
  const session = { sessionId: 's1', userId: 'no_orders_3', topic: ['#W1000002'] }
  expect(await ask('cancel it', { session })).toMatchObject({ pending: null, data: {} })
})
