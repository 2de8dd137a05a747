import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { FACT_CASES, FACTS, FACTS_DOCUMENT, lines } from './support/facts.ts'

const RUN = '/api/v1/evaluation/run'
const REPORTS = '/api/v1/evaluation/reports'
const STATUS = '/api/v1/evaluation/status'

const SUMMARY_FIELDS = [
  ...['report_id', 'created_at', 'testset', 'top_k', 'total_queries', 'recall@1', 'recall@3', 'recall@5', 'recall@10'],
  ...['hit_rate', 'mrr', 'ndcg@5', 'answer_accuracy', 'avg_latency_ms', 'p95_latency_ms', 'by_category', 'params'],
  ...['knowledge_version', 'recommendations'],
]

const UNANSWERABLE = { query: 'Who won the chess tournament of 1987?', category: 'unanswerable' }

let test: TestApp
let folder: string
const at = (name: string): string => join(folder, name)
const run = (body?: object) => test.call('POST', RUN, body)

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'testsets-')))
  await mkdir(at('in'))
  test = await createTestApp({ FILE_ROOTS: at('in') })
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true })
})

describe('before any run', () => {
  it('there are no reports and nothing runs', async () => {
    expect(await test.call('GET', REPORTS)).toMatchObject({ status: 200, body: [] })
    expect(await test.call('GET', STATUS)).toMatchObject({ status: 200, body: { running: null, last_report: null } })
    expect(await test.call('GET', `${REPORTS}/eval_0`)).toMatchObject({
      status: 404,
      body: { detail: 'No report has the report_id eval_0' },
    })
  })
})

describe('the built-in set', () => {
  it.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['an empty path', { testset_path: '' }],
    ['nulls', { testset_path: null, top_k: null, testset: null }],
    ['its name', { testset: 'builtin' }],
  ])(
    'is asked with %s: 30 cases, of which a base without the sample shop answers none, and says why',
    async (_, body) => {
      const { status, body: report } = await run(body)
      expect(status).toBe(200)
      expect(report).toMatchObject({ testset: 'builtin', top_k: 5, total_queries: 30, 'recall@5': 0, mrr: 0 })
      expect(report.cases).toHaveLength(30)
      // What has no answer is rightly not answered.
      expect(report.by_category.unanswerable).toMatchObject({
        total_queries: 5,
        hit_rate: 1,
        answer_accuracy: 1,
        'recall@5': null,
      })
      expect(report).toMatchObject({ hit_rate: 5 / 30, answer_accuracy: 5 / 30 })
      const [first] = report.recommendations
      expect(first).toMatchObject({ severity: 'critical', issue: 'The knowledge base is empty' })
      expect(first.suggestion).toContain('npm run demo')
    },
  )

  it('says which documents are missing from a base about something else', async () => {
    await test.upload(FACTS_DOCUMENT.content, FACTS_DOCUMENT.name, { register: 'true' })
    const { status, body } = await run()
    expect(status).toBe(200)
    expect(body).toMatchObject({ total_queries: 30 })
    expect(body['recall@5']).toBe(0)
    expect(body.recommendations[0]).toMatchObject({
      severity: 'critical',
      issue: expect.stringMatching(/^\d+ of the \d+ documents that the cases expect are not in the knowledge base: /),
      suggestion: expect.stringContaining('sample shop'),
    })
  })
})

describe('a report', () => {
  it('has every figure, the parameters and version it ran on, and each case', async () => {
    await writeFile(at('in/facts.jsonl'), lines([...FACT_CASES, UNANSWERABLE]))
    const params = (await test.call('PUT', '/api/v1/tuner/params', { rerank_top_k: 3 })).body.params
    const stats = (await test.call('GET', '/api/v1/knowledge/stats')).body
    const { status, body } = await run({ testset_path: at('in/facts.jsonl') })
    await test.call('POST', '/api/v1/tuner/reset')
    expect(status).toBe(200)
    const { cases, ...summary } = body
    expect(Object.keys(summary)).toEqual(SUMMARY_FIELDS)
    expect(summary).toMatchObject({
      testset: at('in/facts.jsonl'),
      top_k: 3,
      total_queries: 41,
      'recall@1': 1,
      'recall@10': 1,
      hit_rate: 1,
      mrr: 1,
      'ndcg@5': 1,
      answer_accuracy: 1,
      params,
      knowledge_version: stats.knowledge_version,
      recommendations: [],
    })
    expect(summary.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(summary.p95_latency_ms).toBeGreaterThan(0)
    expect(Object.keys(summary.by_category)).toEqual(['even', 'odd', 'unanswerable'])
    expect(cases[0]).toMatchObject({
      query: FACTS[0]?.question,
      category: 'even',
      expected: { sources: ['weights.md'], doc_ids: [], content: [FACTS[0]?.answer] },
      hit: true,
      rank: 1,
      latency_ms: expect.any(Number),
      confidence: 'sure',
      answer_correct: true,
    })
    expect(cases[0].retrieved.length).toBeLessThanOrEqual(3)
    expect(cases[0].retrieved[0]).toMatchObject({ source: 'weights.md', relevant: true })
    expect(cases[40]).toMatchObject({ hit: true, rank: null, confidence: 'none', answer_correct: true })
  })

  it('counts as many passages as are asked for', async () => {
    const { body } = await run({ testset_path: at('in/facts.jsonl'), top_k: 1 })
    expect(body.top_k).toBe(1)
    for (const each of body.cases) expect(each.retrieved.length).toBeLessThanOrEqual(1)
  })

  it('rewrites follow-ups with what was said before, as chat does', async () => {
    await test.upload(
      '# Kettles\n\nThe Rapid kettle costs 49 euros. The Rapid kettle comes in red and in black.',
      'kettles.md',
    )
    const history = [
      { role: 'user', content: 'How much does the Rapid kettle cost?' },
      { role: 'assistant', content: '49 euros.' },
    ]
    const asked = { query: 'What colours does it come in?', history, expected_sources: ['kettles.md'] }
    await writeFile(at('in/follow-up.json'), JSON.stringify([asked]))
    const [only] = (await run({ testset_path: at('in/follow-up.json') })).body.cases
    expect(only.history).toEqual(history)
    expect(only.queries).toEqual([expect.stringMatching(/Rapid kettle/)])
    expect(only).toMatchObject({ hit: true })
  })

  it('knows what is wrong: passages not found, answers not given', async () => {
    await writeFile(
      at('in/wrong.jsonl'),
      lines([
        { query: FACTS[0]?.question, expected_content: ['weighs 999 tons'] },
        { query: FACTS[1]?.question, expected_doc_ids: ['doc_0'] },
        { query: FACTS[2]?.question, category: 'unanswerable' },
      ]),
    )
    const { body } = await run({ testset_path: at('in/wrong.jsonl') })
    expect(body).toMatchObject({ hit_rate: 0, answer_accuracy: 0, 'recall@10': 0, mrr: 0 })
    expect(
      body.cases.map(({ rank, hit, answer_correct }: Record<string, unknown>) => [rank, hit, answer_correct]),
    ).toEqual(Array(3).fill([null, false, false]))
  })

  it('leaves no trace in conversations', async () => {
    expect((await test.call('GET', '/api/v1/monitor/sessions')).body).toEqual([])
    expect((await test.call('GET', '/api/v1/operations/dashboard?force_refresh=true')).body.total_sessions).toBe(0)
  })
})

describe('reports', () => {
  it('are listed newest first without their cases, page by page', async () => {
    const first = (await run({ testset_path: at('in/facts.jsonl') })).body
    const second = (await run({ testset_path: at('in/wrong.jsonl') })).body
    const all = (await test.call('GET', `${REPORTS}?limit=200`)).body
    const { cases: _, ...summary } = second
    expect(all[0]).toEqual(summary)
    expect(all[1].report_id).toBe(first.report_id)
    const times = all.map(({ created_at }: { created_at: string }) => created_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect((await test.call('GET', `${REPORTS}?limit=2&offset=1`)).body).toEqual(all.slice(1, 3))
    expect((await test.call('GET', `${REPORTS}?offset=1000`)).body).toEqual([])
    for (const each of all) expect(Object.keys(each)).toEqual(SUMMARY_FIELDS)
    expect((await test.call('GET', STATUS)).body).toEqual({ running: null, last_report: summary })
  })

  it('are given whole as they were', async () => {
    const report = (await run({ testset_path: at('in/facts.jsonl') })).body
    expect(await test.call('GET', `${REPORTS}/${report.report_id}`)).toMatchObject({ status: 200, body: report })
  })

  it.each(['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'limit=1.5'])('refuse %s', async (query) => {
    expect(await test.call('GET', `${REPORTS}?${query}`)).toMatchObject({ status: 422 })
  })

  it('tell the release checklist how well it goes', async () => {
    await run({ testset_path: at('in/facts.jsonl') })
    const check = async () =>
      (await test.call('GET', '/api/v1/operations/release-checklist')).body.checks.find(
        ({ name }: { name: string }) => name === 'evaluation',
      )
    expect(await check()).toMatchObject({ status: 'passed' })
    await run({ testset_path: at('in/wrong.jsonl') })
    expect(await check()).toMatchObject({ status: 'failed', error: expect.stringContaining('recall@5') })
  })
})

describe('comparing two reports', () => {
  const compare = (a: string, b: string) => test.call('GET', `/api/v1/evaluation/compare?a=${a}&b=${b}`)

  it('shows differences with intervals and the cases that flipped', async () => {
    const good = (await run({ testset_path: at('in/facts.jsonl') })).body
    await test.call('PUT', '/api/v1/tuner/params', { direct_answer_threshold: 1, clarify_threshold: 1 })
    const shy = (await run({ testset_path: at('in/facts.jsonl') })).body
    await test.call('POST', '/api/v1/tuner/reset')
    const { status, body } = await compare(good.report_id, shy.report_id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ shared_cases: 41, only_in_a: 0, only_in_b: 0, improved: [], warnings: [] })
    expect([body.a.report_id, body.b.report_id]).toEqual([good.report_id, shy.report_id])
    const byMetric = Object.fromEntries(body.metrics.map((each: { metric: string }) => [each.metric, each]))
    expect(byMetric['recall@5']).toMatchObject({ difference: 0, low: 0, high: 0, verdict: 'not_significant' })
    expect(byMetric.answer_accuracy).toMatchObject({ a: 1, b: expect.closeTo(1 / 41, 9), verdict: 'worse' })
    expect(byMetric.answer_accuracy.high).toBeLessThan(0)
    expect(body.worsened).toHaveLength(40)
    expect(body.worsened[0]).toEqual({
      query: FACTS[0]?.question,
      category: 'even',
      what: 'answer',
      rank_a: 1,
      rank_b: 1,
    })
  })

  it('refuses what is not there', async () => {
    const { report_id } = (await run({ testset_path: at('in/facts.jsonl') })).body
    expect(await compare(report_id, 'eval_0')).toMatchObject({
      status: 404,
      body: { detail: 'No report has the report_id eval_0' },
    })
    expect(await compare('eval_0', report_id)).toMatchObject({ status: 404 })
    expect(await test.call('GET', `/api/v1/evaluation/compare?a=${report_id}`)).toMatchObject({
      status: 422,
      body: { detail: 'b: is required' },
    })
  })
})
