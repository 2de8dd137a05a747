import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../../test/support/memory-records.ts'
import { parseImport } from './record-import.ts'
import { changedOrder, createRecordsConnector } from './records.ts'
import type { Change, Order } from './types.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const change: Change = {
  idempotency_key: 'k1',
  kind: 'cancel',
  user_id: 'u1',
  order_id: '#W1',
  expected_status: 'pending',
  items: ['Lamp'],
  reason: 'no longer needed',
  address: null,
}

function parsedOrders(text: string, fileName = 'orders.jsonl'): Order[] {
  const parsed = parseImport('orders', bytes(text), fileName)
  return parsed.kind === 'orders' ? parsed.records : []
}

describe('parseImport', () => {
  it('takes ids without the blanks around them, and none with what nobody sees', () => {
    const rows = [{ user_id: ' anna_1\u3000' }, { user_id: 'anna_\u200b1' }, { user_id: 'anna_1\u{E0041}' }]
    const { records, errors } = parseImport('customers', bytes(JSON.stringify(rows)), 'c.json')
    expect(records).toMatchObject([{ user_id: 'anna_1' }])
    expect(errors).toEqual([2, 3].map((row) => `row ${row}: user_id must not contain invisible characters`))
  })

  it('needs nothing but the id', () => {
    expect(parsedOrders('{"order_id":"#W1"}')).toEqual([
      {
        order_id: '#W1',
        user_id: null,
        status: 'unknown',
        items: [],
        total: null,
        tracking_ids: [],
        payment_history: [],
        address: null,
        cancel_reason: null,
      },
    ])
    expect(parseImport('customers', bytes('[{"user_id":7}]'), 'c.json').records).toEqual([
      { user_id: '7', name: null, email: null, address: null, payment_methods: {} },
    ])
  })

  it('reads the same order from JSON, JSONL and CSV', () => {
    const record = {
      order_id: '#W1',
      user_id: 'u1',
      status: 'pending',
      total: 1537.02,
      items: [{ name: 'Lamp, large', price: 47.84, options: { color: 'blue' } }],
      tracking_ids: ['357962501027', '357962501028'],
      address: { address1: '1 Elm St', city: 'Denver' },
    }
    const line = JSON.stringify(record)
    const cell = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`
    const csv = `\uFEFForder_id,user_id,status,total,items,tracking_ids,address1,city\r\n#W1,u1,pending,"$1,537.02",${cell(record.items)},357962501027;357962501028,1 Elm St,Denver\r\n`
    const [fromLines] = parsedOrders(`${line}\n\n`)
    expect(fromLines).toMatchObject(record)
    expect(parsedOrders(`{"orders":[${line}]}`, 'a.JSON')).toEqual([fromLines])
    expect(parsedOrders(csv, 'a.csv')).toEqual([fromLines])
  })

  it('leaves out a wrong row and says where and why', () => {
    const text = '{"order_id":"#W1"}\n{"total":1}\nnonsense\n{"order_id":"#W2","total":"much"}\n{"order_id":["x"]}'
    const { records, failed, errors } = parseImport('orders', bytes(text), 'o.jsonl')
    expect(records).toHaveLength(1)
    expect(failed).toBe(4)
    expect(errors).toEqual([
      'row 2: order_id is missing',
      'row 3: not a JSON object',
      'row 4: total must be a number',
      'row 5: order_id must be text',
    ])
  })

  it('reads Chinese spreadsheets that are not UTF-8', () => {
    // "order_id,status\nA1,已发货" in GB 18030
    const gb = Uint8Array.from([...bytes('order_id,status\nA1,'), 0xd2, 0xd1, 0xb7, 0xa2, 0xbb, 0xf5])
    const parsed = parseImport('orders', gb, 'o.csv')
    expect(parsed.records).toMatchObject([{ order_id: 'A1', status: '已发货' }])
  })

  it('refuses other files and broken ones as a whole', () => {
    expect(() => parseImport('orders', bytes('x'), 'orders.pdf')).toThrow(
      expect.objectContaining({ kind: 'bad_request', message: expect.stringContaining('orders.pdf') }),
    )
    expect(() => parseImport('orders', bytes('{'), 'orders.json')).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})

describe('records connector', () => {
  async function withOrder() {
    const store = createMemoryStore()
    await store.saveOrders(parsedOrders('{"order_id":"#W1","user_id":"u1","status":"pending"}'))
    return { store, connector: createRecordsConnector(store) }
  }

  it('counts what is new and what is replaced', async () => {
    const { store } = await withOrder()
    expect(await store.saveOrders(parsedOrders('{"order_id":"w1"}\n{"order_id":"W2"}'))).toEqual({
      imported: 1,
      updated: 1,
    })
  })

  it('carries out a key once and a different status never', async () => {
    const { connector } = await withOrder()
    expect((await connector.applyChange({ ...change, expected_status: 'delivered' })).status).toBe('conflict')
    expect((await connector.applyChange(change)).status).toBe('done')
    expect((await connector.applyChange(change)).status).toBe('repeated')
    expect((await connector.applyChange({ ...change, idempotency_key: 'k2' })).status).toBe('conflict')
  })

  it('refunds a cancelled order to the methods that paid', () => {
    const [order] = parsedOrders(
      '{"order_id":"#W1","payment_history":[{"transaction_type":"payment","amount":5,"payment_method_id":"p1"}]}',
    )
    expect(changedOrder(order!, change)).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'no longer needed',
      payment_history: [
        { transaction_type: 'payment' },
        { transaction_type: 'refund', amount: 5, payment_method_id: 'p1' },
      ],
    })
  })
})
