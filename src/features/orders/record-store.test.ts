import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { createChangeLedger, createRecordStore } from './record-store.ts'
import type { Commit } from './records.ts'
import type { Change, Order } from './types.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

function order(orderId: string, more: Partial<Order> = {}): Order {
  return {
    order_id: orderId,
    user_id: 'u1',
    status: 'pending',
    items: [{ name: '台灯 “Lantern”', price: 329.5, options: { 颜色: '白', b: '1', aa: '2' } }],
    total: 329.5,
    tracking_ids: [],
    payment_history: [],
    address: null,
    cancel_reason: null,
    ...more,
  }
}

function change(key: string, more: Partial<Change> = {}): Change {
  return {
    idempotency_key: key,
    kind: 'cancel',
    user_id: 'u1',
    order_id: '#W1',
    expected_status: 'pending',
    items: [],
    reason: null,
    address: null,
    ...more,
  }
}

describe('records', () => {
  it('are found however the number is written, and replaced by id', async () => {
    const store = createRecordStore(database.db)
    const first = order('#w100')
    expect(await store.saveOrders([first, order('#W101', { user_id: null })])).toEqual({ imported: 2, updated: 0 })
    const found = await store.findOrder('Ｗ 100')
    expect(found).toEqual({ record: first, revision: 1 })
    expect(JSON.stringify(found?.record), 'the order of its fields').toBe(JSON.stringify(first))
    const later = order('W100', { status: 'delivered' })
    expect(await store.saveOrders([order('W100', { status: 'lost' }), later])).toEqual({ imported: 0, updated: 1 })
    expect(await store.findOrder('#W100')).toEqual({ record: later, revision: 2 })
    expect(await store.listOrdersOf('u1')).toEqual([later])
    expect(await store.findOrder('#W999')).toBeNull()
  })

  it('keep customers as they came, more than one statement holds', async () => {
    const store = createRecordStore(database.db)
    const customers = Array.from({ length: 1_203 }, (_, i) => ({
      user_id: `c${i}`,
      name: '王晓明',
      email: null,
      address: null,
      payment_methods: {},
    }))
    expect(await store.saveCustomers(customers)).toEqual({ imported: 1_203, updated: 0 })
    expect((await store.findCustomer('c1202'))?.record).toEqual(customers[1_202])
    expect(await store.saveCustomers(customers)).toEqual({ imported: 0, updated: 1_203 })
  })

  it('let one of many changes at once through, and repeat none', async () => {
    const store = createRecordStore(database.db)
    await store.saveOrders([order('#W1')])
    const commit = (key: string, revision: number, status: string): Commit => ({
      change: change(key),
      kind: 'order',
      id: '#W1',
      revision,
      record: order('#W1', { status }),
    })
    const rivals = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.commit(commit(`rival-${i}`, 1, `by ${i}`))),
    )
    expect(rivals.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(rivals.filter((outcome) => outcome === 'conflict')).toHaveLength(19)
    const winner = rivals.indexOf('done')
    expect(await store.findOrder('#W1')).toMatchObject({ revision: 2, record: { status: `by ${winner}` } })
    expect(await store.hasApplied(`rival-${winner}`)).toBe(true)
    expect(await store.hasApplied(`rival-${(winner + 1) % 20}`)).toBe(false)

    const repeats = await Promise.all(Array.from({ length: 20 }, () => store.commit(commit('same', 2, 'cancelled'))))
    expect(repeats.toSorted()).toEqual(['done', ...Array.from({ length: 19 }, () => 'repeated')])
    expect(await store.findOrder('#W1')).toMatchObject({ revision: 3 })
  })
})

describe('the ledger of changes at other systems', () => {
  it('gives one of many the change, and a failed one back', async () => {
    const ledger = createChangeLedger(database.db)
    const begin = () => ledger.begin(change('remote'), 'shop')
    const states = await Promise.all(Array.from({ length: 10 }, begin))
    expect(states.toSorted()).toEqual(['fresh', ...Array.from({ length: 9 }, () => 'started')])
    await ledger.finish('remote', 'failed')
    expect(await begin()).toBe('fresh')
    await ledger.finish('remote', 'done')
    expect(await begin()).toBe('done')
    // A change that is done stays done, whoever says that it failed.
    await ledger.finish('remote', 'failed')
    expect(await begin()).toBe('done')
  })
})
