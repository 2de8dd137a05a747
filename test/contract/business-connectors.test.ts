import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StubAnswer, type StubRequest, type StubServer, startStubServer } from '../support/stub-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** A shop whose orders are in a system of its own, reached over HTTP. */
describe('a connector to the shop’s own system', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-connectors-'))
  const changes: unknown[] = []
  let shop: StubServer
  let isDown = false
  let test: TestApp

  function answer({ method, url, headers, body }: StubRequest): StubAnswer {
    const json = (value: unknown): StubAnswer => ({ contentType: 'application/json', body: JSON.stringify(value) })
    if (isDown) return { status: 500, body: 'down' }
    if (headers.authorization !== 'Bearer s3cret') return { status: 401, body: 'who are you?' }
    if (method === 'POST' && url.pathname === '/changes') {
      changes.push(JSON.parse(body.toString()))
      return json({ ok: true })
    }
    if (url.pathname !== '/orders/W7000001') return { status: 404, body: 'no such order' }
    const order = { number: '#W7000001', owner: 'kim', state: 'pending', lines: [{ title: 'Kettle', unit: 35.5 }] }
    return json({ order: { ...order, sum: 35.5, parcels: ['992176283395'], mail: 'kim.lee@example.com' } })
  }

  beforeAll(async () => {
    shop = await startStubServer(answer)
    const host = new URL(shop.origin).host
    const file = join(folder, 'shop.yaml')
    writeFileSync(
      file,
      `
allow_hosts: ['${host}']
connectors:
  - name: shop
    type: http
    scenes: [order_status, logistics, cancel]
    timeout_ms: 2000
    headers: { authorization: 'Bearer \${SHOP_TOKEN_FOR_TESTS}' }
    operations:
      find_order:
        url: ${shop.origin}/orders/{order_key}
        response:
          root: order
          fields:
            order_id: number
            user_id: owner
            status: state
            email: mail
            items: { path: lines, fields: { name: title, price: unit } }
            total: sum
            tracking_ids: 'parcels[*]'
      apply_change:
        url: ${shop.origin}/changes
        method: POST
        body: { key: '{idempotency_key}', order: '{order_id}', what: '{kind}' }
        kinds: [cancel]
`,
    )
    process.env.SHOP_TOKEN_FOR_TESTS = 's3cret'
    test = await createTestApp({ BUSINESS_CONFIG: file })
    delete process.env.SHOP_TOKEN_FOR_TESTS
  })
  afterAll(async () => {
    await test.close()
    await shop.close()
    rmSync(folder, { recursive: true })
  })

  const ask = (message: string, user_id = 'kim', session_id = `of-${user_id}`) =>
    test.call('POST', '/api/v1/chat', { message, user_id, session_id })

  it('answers the owner and refuses everybody else', async () => {
    const { body } = await ask('Where is my order #W7000001?')
    for (const part of ['#W7000001', 'Kettle', '35.50', '992176283395']) expect(body.reply).toContain(part)
    const stranger = await ask('Where is order #W7000001?', 'lee')
    for (const part of ['Kettle', '35.50', '992176283395']) expect(stranger.body.reply).not.toContain(part)
  })

  it('masks what a person sees', async () => {
    const { body } = await test.call('POST', '/api/v1/agent/sessions/of-kim/business-assist', {
      query: '订单 #W7000001 在哪里？',
    })
    expect(body.result.data.orders[0]).toMatchObject({ order_id: '#W7000001', total: 35.5 })
    expect(body.masked_fields).toContain('orders[0].email')
    expect(JSON.stringify(body)).not.toContain('kim.lee')
  })

  it('sends a change once it is confirmed, and once only', async () => {
    const asked = await ask('Please cancel order #W7000001', 'kim', 'cancelling')
    expect(asked.body.reply).toMatch(/yes or no/)
    expect(changes).toEqual([])
    await ask('yes', 'kim', 'cancelling')
    await ask('yes', 'kim', 'cancelling')
    expect(changes).toEqual([{ key: expect.any(String), order: '#W7000001', what: 'cancel' }])
  })

  it('calls a person when the system fails on a request that needs it', async () => {
    isDown = true
    const { body } = await ask('Where is my order #W7000001?', 'kim', 'failing')
    isDown = false
    expect(body.data).toMatchObject({ escalate_to_human: true, escalation_card: { reason: 'tool_failure' } })
    const { body: breakers } = await test.call('GET', '/api/v1/observability/circuit-breakers')
    expect(breakers.business.failure_count).toBeGreaterThan(0)
  })
})
