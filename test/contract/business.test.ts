import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

describe('business import', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())

  function load(content: string | Uint8Array, fileName: string, fields: Record<string, string>) {
    const { body, contentType } = encodeForm(content, fileName, fields)
    return test.call('POST', '/api/v1/business/import', body, { 'content-type': contentType })
  }
  const line = (order: object) => `${JSON.stringify(order)}\n`

  it('loads lines, counts what is new and what is replaced, and names what it leaves out', async () => {
    const content =
      line({ order_id: '#W1' }) + line({ order_id: '#W2', total: 'x' }) + line({ order_id: '#w1', total: 3 })
    expect(await load(content, 'orders.jsonl', { kind: 'orders' })).toMatchObject({
      status: 200,
      body: { kind: 'orders', failed: 1, errors: ['row 2: total must be a number'] },
    })
    expect((await load(line({ order_id: 'W1' }), 'orders.jsonl', { kind: 'orders' })).body).toEqual({
      kind: 'orders',
      imported: 0,
      updated: 1,
      failed: 0,
      errors: [],
    })
    const csv = 'user_id,email\nu1,a@example.com\nu2,\n'
    expect((await load(csv, 'people.csv', { kind: 'customers' })).body).toMatchObject({ imported: 2, updated: 0 })
  })

  it.each([
    ['{}', 'orders.json', {}, 422, 'kind: must be one of customers, orders'],
    ['{}', 'orders.json', { kind: 'shops' }, 422, 'kind: must be one of customers, orders'],
    ['{', 'orders.json', { kind: 'orders' }, 422, 'file: orders.json cannot be read'],
    ['x', 'orders.exe', { kind: 'orders' }, 400, 'file: orders.exe must be JSON, JSONL or CSV'],
  ])('refuses %j as %s with %j', async (content, fileName, fields, status, detail) => {
    const answer = await load(content, fileName, fields)
    expect(answer.status).toBe(status)
    expect(answer.body.detail).toContain(detail)
  })

  it('refuses what is no form', async () => {
    expect((await test.call('POST', '/api/v1/business/import', { kind: 'orders' })).status).toBe(415)
  })
})
