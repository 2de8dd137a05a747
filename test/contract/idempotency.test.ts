import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createLog } from '../../src/platform/log.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const EXPERIMENTS = '/api/v1/operations/experiments'
const EXPERIMENT = { name: 'x', variants: ['all'], traffic_split: { all: 1 } }

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
})
afterAll(() => test.close())
beforeEach(async () => {
  await sql`delete from idempotency_keys`.execute(test.db.executor)
})

const rows = async () => {
  const found = await sql<{ status: number }>`select status from idempotency_keys`.execute(test.db.executor)
  return found.rows
}
const post = (headers: Record<string, string>, body: object = EXPERIMENT, url = EXPERIMENTS) =>
  test.app.inject({ method: 'POST', url, headers, payload: body })

describe('Idempotency-Key', () => {
  it('is remembered for who has the key', async () => {
    const headers = { 'x-api-key': API_KEY, 'idempotency-key': 'one' }
    const first = await post(headers)
    expect(first.statusCode).toBe(201)
    expect((await post(headers)).json()).toEqual(first.json())
    expect((await post(headers, { ...EXPERIMENT, name: 'y' })).statusCode).toBe(422)
    expect(await rows()).toHaveLength(1)
  })

  it('leaves no row where the key is set and not sent, and the request is done', async () => {
    for (const key of ['one', 'two', 'x'.repeat(500)]) {
      expect((await post({ 'idempotency-key': key })).statusCode).toBe(201)
      const recorded = { variant: 'all', metric_name: 'csat', value: 1 }
      expect((await post({ 'idempotency-key': key }, recorded, `${EXPERIMENTS}/x/metrics`)).statusCode).toBe(204)
    }
    expect(await rows()).toEqual([])
  })

  it('replays no answer of one caller to another', async () => {
    const mine = await post({ 'x-api-key': API_KEY, 'idempotency-key': 'shared' }, { ...EXPERIMENT, name: 'mine' })
    expect(mine.json().name).toBe('mine')
    const other = await post({ 'idempotency-key': 'shared' }, { ...EXPERIMENT, name: 'other' })
    expect(other.json().name).toBe('other')
  })

  it('is forgotten after a day by whichever process starts or runs', async () => {
    await sql`insert into idempotency_keys (key, fingerprint, status, content_type, body, created_at)
      values ('old', 'f', 200, 'application/json', '{}', now() - interval '25 hours'),
        ('new', 'f', 200, 'application/json', '{}', now() - interval '23 hours')`.execute(test.db.executor)
    const again = await createApp(testConfig({ API_KEY }), test.db, createLog('silent'))
    while ((await rows()).length > 1) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await rows()).toHaveLength(1)
    await again.close()
  })
})
