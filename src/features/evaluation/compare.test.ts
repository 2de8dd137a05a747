import { describe, expect, it } from 'vitest'
import { caseResult } from '../../../test/support/case-result.ts'
import { compareReports } from './compare.ts'
import { figuresOf } from './metrics.ts'
import type { CaseResult, Report } from './types.ts'

function report(cases: CaseResult[], more: Partial<Report> = {}): Report {
  return {
    reportId: 'eval_1',
    createdAt: new Date(0),
    testset: 'mine',
    topK: 5,
    ...figuresOf(cases),
    avgLatencyMs: 1,
    p95LatencyMs: 1,
    byCategory: {},
    params: {},
    knowledgeVersion: 1,
    recommendations: [],
    cases,
    ...more,
  }
}
const found = (query: string, rank: number | null) =>
  caseResult({ query, targetRanks: [rank], answerRight: rank === 1, confidence: rank === 1 ? 'sure' : 'none' })
const names = Array.from({ length: 20 }, (_, i) => `question ${i}`)

describe('comparing reports', () => {
  it('finds no difference between a report and itself', () => {
    const same = report(names.map((name, i) => found(name, i % 2 === 0 ? 1 : null)))
    const { metrics, improved, worsened, sharedCases, warnings } = compareReports(same, same)
    expect(sharedCases).toBe(20)
    expect(metrics.map(({ metric }) => metric)).toContain('recall@5')
    for (const each of metrics)
      expect(each).toMatchObject({ difference: 0, low: 0, high: 0, verdict: 'not_significant' })
    expect([improved, worsened, warnings]).toEqual([[], [], []])
  })

  it('shows a clear gain with its interval, and which cases flipped', () => {
    const a = report(names.map((name, i) => found(name, i < 4 ? 1 : null)))
    const b = report(names.map((name, i) => found(name, i === 0 ? 2 : 1)))
    const { metrics, improved, worsened } = compareReports(a, b)
    const accuracy = metrics.find(({ metric }) => metric === 'answer_accuracy')
    expect(accuracy).toMatchObject({ a: 0.2, b: 0.95, difference: expect.closeTo(0.75, 12), verdict: 'better' })
    expect(accuracy?.low).toBeGreaterThan(0.4)
    expect(improved.filter(({ what }) => what === 'answer')).toHaveLength(16)
    expect(improved[0]).toEqual({ query: 'question 4', category: 'general', what: 'hit', rankA: null, rankB: 1 })
    expect(worsened).toEqual([{ query: 'question 0', category: 'general', what: 'answer', rankA: 1, rankB: 2 }])
  })

  it('compares what both have, the same question after the same conversation, and says what it leaves out', () => {
    const history = [{ role: 'user' as const, content: 'before' }]
    const a = report([
      found('both', 1),
      found('only a', 1),
      { ...found('both', 1), history },
      found('twice', 1),
      found('twice', 1),
    ])
    const b = report([found('both', 1), found('twice', null), found('only b', 1)], { topK: 3, knowledgeVersion: 2 })
    const compared = compareReports(a, b)
    expect(compared).toMatchObject({ sharedCases: 2, onlyInA: 3, onlyInB: 1 })
    expect(compared.worsened).toMatchObject([
      { query: 'twice', what: 'hit' },
      { query: 'twice', what: 'answer' },
    ])
    expect(compared.warnings).toEqual([
      'The reports are about different sets; only the 2 cases that both have are compared',
      'hit_rate counts the first 5 passages in a and the first 3 in b',
      'The knowledge base changed between the reports',
    ])
  })

  it('has nothing to say about reports without a case in common', () => {
    const compared = compareReports(report([found('a', 1)]), report([found('b', 1)]))
    expect(compared).toMatchObject({ sharedCases: 0, metrics: [], warnings: ['The reports have no case in common'] })
  })
})
