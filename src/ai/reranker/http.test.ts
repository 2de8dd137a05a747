import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newBreaker, until } from '../../../test/support/chat-model.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/support/scripted-model/server.ts'
import { createHttpReranker, type HttpRerankerOptions } from './http.ts'

const passages = ['Blue whales sing.', 'Refund an order within fourteen days.', '退款需要五天']
let server: ScriptedModel

beforeAll(async () => {
  server = await startScriptedModel()
})
afterEach(() => server.clear())
afterAll(() => server.close())

function setUp(options: Partial<HttpRerankerOptions> = {}) {
  const failures: { code: string; detail: string }[] = []
  const breaker = newBreaker(1_000)
  const reranker = createHttpReranker({
    baseUrl: server.url,
    apiKey: 'sk-secret-1234',
    model: 'm',
    breaker,
    onFailure: (reason) => failures.push(reason),
    ...options,
  })
  return { reranker, failures, breaker: options.breaker ?? breaker }
}

const answering = (scores: unknown[]) => ({
  body: JSON.stringify({ results: scores.map((relevance_score, index) => ({ index, relevance_score })) }),
})

describe('the rerank client', () => {
  it('scores passages in their order, in 0..1', async () => {
    const { reranker, breaker } = setUp()
    const scores = await reranker.rerank('refund my order', passages)
    expect(scores).toHaveLength(3)
    expect(scores!.every((score) => score >= 0 && score <= 1)).toBe(true)
    expect(Math.max(...scores!)).toBe(scores![1])
    expect(server.requests[0]).toMatchObject({
      path: '/v1/rerank',
      headers: { authorization: 'Bearer sk-secret-1234' },
      body: { model: 'm', query: 'refund my order', documents: passages, top_n: 3 },
    })
    expect(breaker.stats().success_count).toBe(1)
  })

  it.each([
    ['cohere', ''],
    ['tei', 'm'],
  ] as const)('finds out by itself that an endpoint speaks %s, once', async (rerankDialect, model) => {
    const strict = await startScriptedModel({ rerankDialect })
    const { reranker, breaker } = setUp({ baseUrl: strict.url, model })
    for (let i = 0; i < 3; i += 1) expect(await reranker.rerank('refund', passages)).toHaveLength(3)
    expect(strict.requests).toHaveLength(4)
    expect(breaker.stats().failure_count).toBe(0)
    await strict.close()
  })

  it('takes logits for what they are, from then on', async () => {
    const { reranker } = setUp()
    server.enqueue(answering([-8.2, 0, 5]), answering([0.5, 0.5, 0]))
    const [low, middle, high] = (await reranker.rerank('x', passages))!
    expect([middle, low! < 0.001, high! > 0.99]).toEqual([0.5, true, true])
    expect((await reranker.rerank('x', passages))![2]).toBe(0.5)
  })

  it('splits many passages over requests and keeps their order', async () => {
    const many = Array.from({ length: 10 }, (_, index) => (index === 7 ? 'refund' : `whale ${index}`))
    const scores = await setUp({ maxBatchPassages: 4 }).reranker.rerank('refund', many)
    expect(server.requests).toHaveLength(3)
    expect(scores!.indexOf(Math.max(...scores!))).toBe(7)
  })

  it('sends the beginning of long passages, whole characters only', async () => {
    await setUp({ maxPassageTokens: 3 }).reranker.rerank('x', ['退款款😀😀'])
    expect(server.requests[0]?.body).toMatchObject({ documents: ['退款款'] })
  })

  it('asks nobody about nothing', async () => {
    expect(await setUp().reranker.rerank('x', [])).toEqual([])
    expect(server.requests).toHaveLength(0)
  })
})

describe('no scores are to be had', () => {
  it.each([
    ['a failure', { status: 500 }, 'endpoint_down'],
    ['a broken connection', { fault: { kind: 'cut', afterTokens: 0 } as const }, 'endpoint_unreachable'],
    ['too few scores', answering([0.5]), 'endpoint_bad_response'],
    ['a text for a score', answering(['0.5', 0.1, 0.2]), 'endpoint_bad_response'],
    ['no JSON', { body: '<html>' }, 'endpoint_bad_response'],
    ['silence', { fault: { kind: 'hang', afterTokens: 0 } as const }, 'endpoint_timeout'],
  ])('from %s', async (_name, behaviour, code) => {
    server.setDefault(behaviour)
    const { reranker, failures } = setUp({ timeoutMs: code === 'endpoint_timeout' ? 50 : 10_000 })
    expect(await reranker.rerank('x', passages)).toBeNull()
    expect(failures).toMatchObject([{ code }])
    expect(server.requests).toHaveLength(1)
    await until(() => server.activeRequests() === 0)
  })

  it('from an open breaker, which is not even asked', async () => {
    server.setDefault({ status: 500 })
    const { reranker, failures } = setUp({ breaker: newBreaker(1) })
    await reranker.rerank('x', passages)
    expect(await reranker.rerank('x', passages)).toBeNull()
    expect(failures.map(({ code }) => code)).toEqual(['endpoint_down', 'circuit_open'])
    expect(server.requests).toHaveLength(1)
  })

  it('with a refused key, which no report repeats', async () => {
    const strict = await startScriptedModel({ apiKey: 'another' })
    const { reranker, failures } = setUp({ baseUrl: strict.url })
    expect(await reranker.rerank('x', passages)).toBeNull()
    expect(JSON.stringify(failures)).not.toContain('secret')
    await strict.close()
  })
})

it('lets a caller leave without moving the breaker', async () => {
  server.setDefault({ fault: { kind: 'hang', afterTokens: 0 } })
  const { reranker, failures, breaker } = setUp()
  const controller = new AbortController()
  const pending = reranker.rerank('x', passages, controller.signal)
  await until(() => server.activeRequests() === 1)
  controller.abort(new Error('gone'))
  await expect(pending).rejects.toThrow('gone')
  await until(() => server.activeRequests() === 0)
  expect(failures).toEqual([])
  expect(breaker.stats()).toMatchObject({ failure_count: 0, success_count: 0 })
})
