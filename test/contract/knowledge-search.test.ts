import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PATH = '/api/v1/knowledge/search'
const QUESTION = 'How long may I return a kettle?'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
  await test.upload(
    'Q: How long can I return a kettle?\nA: You may return kettles within 21 days of delivery.\n\n' +
      'Q: How heavy is the lantern?\nA: The lantern weighs 300 grams.',
    'kettles.md',
  )
  await test.upload('# Shipping\n\nParcels with kettles leave the warehouse within two working days.', 'shipping.md')
  await test.upload('# 退货\n\n电热水壶可以在签收后二十一天内退货。', 'zh.md')
})
afterAll(() => test.close())

const search = (body: unknown, headers?: Record<string, string>) => test.call('POST', PATH, body, headers)

describe('POST /knowledge/search', () => {
  it('finds what customers find, and says which passages the reply gives', async () => {
    const { status, body } = await search({ query: QUESTION })
    expect(status).toBe(200)
    expect(body).toMatchObject({ query: QUESTION, explanation: null, reply: { confidence: 'sure' } })
    expect(body.hits[0]).toMatchObject({ source: 'kettles.md', is_answer: true, explanation: null })
    expect(body.reply.chunk_ids).toEqual([body.hits[0].chunk_id])
    expect(body.reply.text).toContain('21 days')
    expect(body.thresholds).toEqual({ answer: 0.45, suggest: 0.06, drop: 0.01 })
    const { body: chat } = await test.call('POST', '/api/v1/chat', {
      message: QUESTION,
      session_id: '',
      channel: 'web',
    })
    expect(chat.data.sources[0].score).toBeCloseTo(body.hits[0].score, 9)
  })

  it('explains every score: its parts are its log odds', async () => {
    const { body } = await search({ query: QUESTION, explain: true })
    for (const { explanation, score } of body.hits) {
      const sum = explanation.parts.reduce((total: number, part: { log_odds: number }) => total + part.log_odds, 0)
      expect(1 / (1 + Math.exp(-sum))).toBeCloseTo(score, 9)
      expect(explanation.recency).toBe(1)
    }
    const groups = body.hits[0].explanation.parts.map((part: { group: string }) => part.group)
    expect(new Set(groups)).toEqual(
      new Set(['form', 'lexical', 'question', 'heading', 'proximity', 'semantic', 'document']),
    )
    expect(body.explanation.stages.map(({ name }: { name: string }) => name)).toEqual(['candidates', 'ranking'])
    expect(body.explanation.words.map(({ word }: { word: string }) => word)).toContain('return')
  })

  it('marks the words that matched, in both languages', async () => {
    const marked = ({ content, explanation }: { content: string; explanation: Explained }) =>
      explanation.highlights.content.map(({ start, end }) => content.slice(start, end))
    const english = (await search({ query: QUESTION, explain: true })).body.hits[0]
    expect(marked(english)).toEqual(expect.arrayContaining(['return', 'kettles']))
    const chinese = (await search({ query: '电热水壶怎么退货', explain: true })).body.hits[0]
    expect(marked(chinese).join('')).toMatch(/电热水壶.*退货/)
  })

  it('says why a candidate was dropped', async () => {
    const first = await search({ query: QUESTION, top_k: 1, explain: true })
    expect(first.body.total).toBe(1)
    const reasons = first.body.explanation.dropped.map(({ reason }: { reason: string }) => reason)
    expect(reasons).toContain('beyond_top_k')
    const strict = await search({ query: QUESTION, params: { min_score: 0.3 }, explain: true })
    expect(strict.body.explanation.dropped.map(({ reason }: { reason: string }) => reason)).toContain('below_min_score')
    expect(strict.body.thresholds.drop).toBe(0.3)
  })

  it('takes parameters for this request alone', async () => {
    const strict = await search({ query: QUESTION, params: { direct_answer_threshold: 1, title_weight: 0 } })
    expect(strict.body).toMatchObject({ reply: { confidence: 'close' }, params: { title_weight: 0 } })
    expect((await search({ query: QUESTION })).body).toMatchObject({
      reply: { confidence: 'sure' },
      params: { title_weight: 0.5 },
    })
  })

  it.each([
    [{}, 'query'],
    [{ query: ' ' }, 'query'],
    [{ query: 'x'.repeat(8_001) }, 'query'],
    [{ query: QUESTION, top_k: 0 }, 'top_k'],
    [{ query: QUESTION, top_k: 51 }, 'top_k'],
    [{ query: QUESTION, explain: 'yes' }, 'explain'],
    [{ query: QUESTION, params: [] }, 'params'],
    [{ query: QUESTION, params: { title_weight: 2 } }, 'title_weight'],
    [{ query: QUESTION, params: { title_weigth: 0.2 } }, 'title_weigth'],
    [{ query: QUESTION, params: { clarify_threshold: 0.9 } }, 'clarify_threshold'],
  ])('answers 422 for %j and names %s', async (body, field) => {
    const { status, body: answer } = await search(body)
    expect([status, answer.detail]).toEqual([422, expect.stringContaining(field)])
  })

  it('finds nothing in an empty base, and says so', async () => {
    const empty = await createTestApp({ API_KEY: 'secret' })
    const { body } = await empty.call('POST', PATH, { query: QUESTION, explain: true })
    expect(body).toMatchObject({ total: 0, hits: [], reply: { confidence: 'none', chunk_ids: [] } })
    expect((await empty.call('POST', PATH, { query: QUESTION }, { 'x-api-key': 'wrong' })).status).toBe(401)
    await empty.close()
  })
})

interface Explained {
  highlights: { content: { start: number; end: number }[] }
}
