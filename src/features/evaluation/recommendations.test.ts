import { describe, expect, it } from 'vitest'
import { caseResult } from '../../../test/support/case-result.ts'
import { figuresByCategory, figuresOf } from './metrics.ts'
import { type Findings, recommend } from './recommendations.ts'
import type { CaseResult } from './types.ts'

function issues(results: CaseResult[], more: Partial<Findings> = {}): string[] {
  const findings: Findings = {
    testset: 'mine',
    topK: 5,
    results,
    figures: figuresOf(results),
    byCategory: figuresByCategory(results),
    p95LatencyMs: 10,
    documents: [{ docId: 'doc_1', source: '/srv/a.md' }],
    changedMeanwhile: false,
    ...more,
  }
  return recommend(findings).map(({ severity, issue, suggestion }) => `${severity}: ${issue} → ${suggestion}`)
}
const times = (count: number, given: Partial<CaseResult>): CaseResult[] =>
  Array.from({ length: count }, (_, i) => caseResult({ query: `q${i}`, targetRanks: [1], ...given }))
const unanswerable = (confidence: CaseResult['confidence']) =>
  caseResult({ expectedSources: [], confidence, answerRight: confidence === 'none' })

describe('recommendations', () => {
  it('are none when all is well', () => {
    expect(issues([...times(20, {}), unanswerable('none')])).toEqual([])
  })

  it.each<[string, CaseResult[], Partial<Findings>, RegExp]>([
    ['an empty base', times(20, {}), { documents: [], testset: 'builtin' }, /^critical: .*empty.*npm run demo/],
    [
      'missing documents',
      times(20, { expectedSources: ['b.md'] }),
      {},
      /^critical: 1 of the 1 documents .* b\.md .*names in the test set/,
    ],
    [
      'the sample shop missing',
      times(20, { expectedSources: ['b.md'] }),
      { testset: 'builtin' },
      /^critical: .*sample shop/,
    ],
    ['low recall', times(20, { targetRanks: [null] }), {}, /^critical: recall@5 is 0 %/],
    [
      'a weak category',
      [...times(20, {}), ...times(5, { category: 'odd', targetRanks: [null] })],
      {},
      /^warning: .*odd \(0 %\)/,
    ],
    ['a bad order', times(20, { targetRanks: [3] }), {}, /^warning: .*not first/],
    ['more further down', times(20, { targetRanks: [8] }), {}, /^warning: More is found further down/],
    ['too shy', times(20, { confidence: 'none', answerRight: false }), {}, /^warning: 20 questions got no answer/],
    ['too bold', [...times(20, {}), unanswerable('sure')], {}, /^warning: 1 of 1 questions that have no answer/],
    ['slow', times(20, {}), { p95LatencyMs: 1_500 }, /^warning: .*1500 ms/],
    ['changed meanwhile', times(20, {}), { changedMeanwhile: true }, /^warning: The knowledge base changed/],
    ['few cases', times(3, {}), {}, /^info: 3 cases say little/],
    ['nothing unanswerable', times(20, {}), {}, /^info: No case checks/],
  ])('say what to do about %s', (_, results, more, expected) => {
    expect(issues(results, more)).toContainEqual(expect.stringMatching(expected))
  })

  it('put the most urgent first', () => {
    const all = issues(times(3, { targetRanks: [null] }), { changedMeanwhile: true })
    const severities = all.map((line) => line.split(':')[0])
    expect(severities).toEqual(['critical', 'warning', 'info', 'info'])
  })
})
