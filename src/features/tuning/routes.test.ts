import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/support/test-app.ts'

const PARAMS = '/api/v1/tuner/params'

describe('tuner endpoints', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())
  beforeEach(() => test.call('POST', '/api/v1/tuner/reset'))

  it('shows parameters, defaults and ranges', async () => {
    const { status, body } = await test.call('GET', PARAMS)
    expect(status).toBe(200)
    expect(body.params).toEqual(body.defaults)
    expect(body.ranges.rerank_top_k).toMatchObject({ min: 1, max: 50, integer: true })
  })

  it('changes a subset, persists it, and resets', async () => {
    const before = (await test.call('GET', PARAMS)).body
    const { status, body } = await test.call('PUT', PARAMS, { rerank_top_k: 8, vector_weight: 0.25 })
    expect(status).toBe(200)
    expect(body.params).toMatchObject({ rerank_top_k: 8, vector_weight: 0.25, rrf_k: before.params.rrf_k })
    expect(body.version).toBe(before.version + 1)
    const history = (await test.call('GET', '/api/v1/tuner/history')).body.items
    expect(history[0]).toMatchObject({ action: 'update', changes: { rerank_top_k: { from: 5, to: 8 } } })
    const reset = await test.call('POST', '/api/v1/tuner/reset')
    expect(reset.body.params).toEqual(reset.body.defaults)
  })

  it.each([
    [{ no_such: 1 }, 'no_such: no such parameter'],
    [{ rerank_top_k: 0 }, 'rerank_top_k: must be between 1 and 50'],
    [{ rerank_top_k: 2.5 }, 'rerank_top_k: must be an integer'],
    [{ vector_weight: '0.5' }, 'vector_weight: must be a number'],
    [{ clarify_threshold: 0.9 }, 'clarify_threshold: must not be above direct_answer_threshold'],
    [{ rerank_top_k: 9, min_score: 2 }, 'min_score: must be between 0 and 1'],
    [{ __proto__x: 1, constructor: 1 }, '__proto__x: no such parameter; constructor: no such parameter'],
  ])('refuses %j and changes nothing', async (changes, detail) => {
    const before = (await test.call('GET', PARAMS)).body
    expect(await test.call('PUT', PARAMS, changes)).toMatchObject({ status: 422, body: { detail } })
    expect((await test.call('GET', PARAMS)).body).toEqual(before)
  })

  it.each([[[]], ['text'], [null], [undefined]])('refuses a body that is no object: %j', async (body) => {
    const headers = { 'content-type': 'application/json' }
    const payload = body === undefined ? '' : JSON.stringify(body)
    expect((await test.call('PUT', PARAMS, payload, headers)).status).toBe(422)
  })
})
