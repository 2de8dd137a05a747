import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../../../test/support/scripted-model/server.ts'
import { createTestApp, type TestApp } from '../../../../test/support/test-app.ts'
import type { SearchHit } from '../types.ts'
import { rerankHits } from './rerank.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })

function hitsOf(scores: readonly number[]): SearchHit[] {
  const place = { docId: 'd', version: 1, source: 's', title: 'T', kind: 'text' as const, page: null, metadata: {} }
  return scores.map((score, i) => ({
    ...place,
    ordinal: 0,
    chunkId: i,
    score,
    headingPath: [],
    question: null,
    content: `${i}`,
  }))
}

function judging(scores: readonly number[] | null) {
  return { id: 'stub', rerank: async () => scores }
}

describe('rerankHits', () => {
  it('keeps hits as they came when there are no scores', async () => {
    const hits = hitsOf([0.9, 0.4])
    expect(await rerankHits(judging(null), 'q', hits)).toEqual(hits)
  })

  it('lets the reranker decide between hits', async () => {
    const reranked = await rerankHits(judging([0.05, 0.9]), 'q', hitsOf([0.6, 0.2]))
    expect(reranked.map(({ chunkId }) => chunkId)).toEqual([1, 0])
    expect(reranked[0]!.score).toBeGreaterThan(0.35)
    expect(reranked[1]!.score).toBeLessThan(0.21)
  })

  it('gives sorted scores in 0..1 that never fall when either judgement rises', async () => {
    const pair = fc.tuple(share, share)
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 20 }), async (pairs) => {
        const own = pairs.map(([score]) => score)
        const judged = pairs.map(([, score]) => score)
        const reranked = await rerankHits(judging(judged), 'q', hitsOf(own))
        for (const [i, { score }] of reranked.entries()) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(reranked[i - 1]?.score ?? 1)
        }
        const rises = (a: SearchHit, b: SearchHit): boolean =>
          own[a.chunkId]! >= own[b.chunkId]! && judged[a.chunkId]! >= judged[b.chunkId]!
        const wrong = reranked.flatMap((a) => reranked.filter((b) => rises(a, b) && a.score < b.score))
        expect(wrong).toEqual([])
      }),
    )
  })
})

describe('search with a rerank endpoint', () => {
  const QUERY = 'How long may I return goods?'
  let endpoint: ScriptedModel
  let app: TestApp
  beforeAll(async () => {
    endpoint = await startScriptedModel()
    app = await createTestApp({ RERANK_BASE_URL: endpoint.url, RERANK_MODEL: 'm', RERANK_TIMEOUT_MS: '2000' })
    await app.upload('# Returns\n\nYou may return goods within 14 days, however long you had them.', 'returns.md')
    await app.upload('# Outlet\n\nOutlet goods cannot be given back.', 'outlet.md')
  })
  afterEach(() => endpoint.clear())
  afterAll(async () => {
    await app.close()
    await endpoint.close()
  })

  async function sources(): Promise<string[]> {
    const url = '/api/v1/agent/sessions/any/knowledge-recommend'
    const { status, body } = await app.call('POST', url, { query: QUERY })
    expect(status).toBe(200)
    return body.chunks.map(({ source }: { source: string }) => source)
  }

  it('sends the passages with their headings and follows its scores', async () => {
    const results = [0.01, 0.98].map((relevance_score, index) => ({ index, relevance_score }))
    endpoint.enqueue({ body: JSON.stringify({ results }) })
    expect(await sources()).toEqual(['outlet.md', 'returns.md'])
    expect(endpoint.requests[0]).toMatchObject({
      path: '/v1/rerank',
      body: {
        query: QUERY,
        documents: [
          'Returns\nYou may return goods within 14 days, however long you had them.',
          'Outlet\nOutlet goods cannot be given back.',
        ],
      },
    })
  })

  it('is told of where a search explains itself', async () => {
    const results = [0.01, 0.98].map((relevance_score, index) => ({ index, relevance_score }))
    endpoint.setDefault({ body: JSON.stringify({ results }) })
    const { body } = await app.call('POST', '/api/v1/knowledge/search', { query: QUERY, explain: true })
    expect(body.explanation.stages.map(({ name }: { name: string }) => name)).toEqual([
      'candidates',
      'ranking',
      'rerank',
    ])
    const [first] = body.hits
    expect(first).toMatchObject({ source: 'outlet.md', explanation: { reranked_score: first.score } })
    expect(first.explanation.ranking_score).toBeLessThan(first.score)
  })

  it('is not asked about what a quality check compares', async () => {
    await app.upload('# Cards\n\nGift cards are never taken back.', 'cards.md', { validate_quality: 'true' })
    expect(endpoint.requests).toHaveLength(0)
    await app.call('DELETE', '/api/v1/knowledge/documents/cards-md')
  })

  it.each([
    ['fails', { status: 500 }],
    ['says nothing of use', { body: '{"results":[]}' }],
    ['is silent', { fault: { kind: 'hang', afterTokens: 0 } as const }],
  ])('keeps its own order when the endpoint %s', async (_name, behaviour) => {
    endpoint.setDefault(behaviour)
    expect((await sources())[0]).toBe('returns.md')
    expect(endpoint.requests).toHaveLength(1)
  })

  it('stops asking an endpoint that keeps failing, and says so', async () => {
    endpoint.setDefault({ status: 500 })
    for (let i = 0; i < 12; i++) await sources()
    const { body } = await app.call('GET', '/api/v1/observability/circuit-breakers')
    expect(body.rerank.state).toBe('OPEN')
    expect(endpoint.requests.length).toBeLessThan(12)
  })
})
