import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { caseResult } from '../../../test/support/case-result.ts'
import { figuresByCategory, figuresOf, ndcgAt, percentile, recallAt } from './metrics.ts'

describe('figures of a report', () => {
  const results = [
    caseResult({ query: 'first', targetRanks: [1] }),
    caseResult({ query: 'third', targetRanks: [3] }),
    caseResult({ query: 'two of them, one found', targetRanks: [2, null] }),
    caseResult({ query: 'missed', targetRanks: [null], answerRight: false }),
    caseResult({ query: 'no answer, rightly', expectedSources: [], confidence: 'none', category: 'none' }),
    caseResult({
      query: 'no answer, wrongly',
      expectedSources: [],
      confidence: 'sure',
      answerRight: false,
      category: 'none',
    }),
  ]

  it('count retrieval over what can be found, and the rest over everything', () => {
    expect(figuresOf(results)).toEqual({
      totalQueries: 6,
      recallAt1: 1 / 4,
      recallAt3: (1 + 1 + 0.5) / 4,
      recallAt5: (1 + 1 + 0.5) / 4,
      recallAt10: (1 + 1 + 0.5) / 4,
      hitRate: 4 / 6,
      mrr: (1 + 1 / 3 + 1 / 2) / 4,
      ndcgAt5: expect.closeTo((1 + 1 / 2 + 1 / Math.log2(3) / (1 + 1 / Math.log2(3))) / 4, 12),
      answerAccuracy: 4 / 6,
    })
  })

  it('have no recall where nothing can be found', () => {
    const { none, general } = figuresByCategory(results)
    expect(none).toMatchObject({ totalQueries: 2, recallAt5: null, mrr: null, hitRate: 0.5, answerAccuracy: 0.5 })
    expect(general?.totalQueries).toBe(4)
  })

  it('are zeros and nulls without cases', () => {
    expect(figuresOf([])).toMatchObject({ totalQueries: 0, recallAt5: null, hitRate: 0, answerAccuracy: 0 })
  })
})

const ranks = fc.array(fc.option(fc.integer({ min: 1, max: 50 })), { minLength: 1, maxLength: 20 })

describe('of one case', () => {
  it('recall grows with the depth and, like ndcg, stays within 0 and 1', () => {
    fc.assert(
      fc.property(ranks, fc.integer({ min: 1, max: 49 }), (targetRanks, k) => {
        expect(recallAt({ targetRanks }, k)).toBeLessThanOrEqual(recallAt({ targetRanks }, k + 1))
        expect(recallAt({ targetRanks }, 50)).toBeLessThanOrEqual(1)
        expect(ndcgAt({ targetRanks }, k)).toBeGreaterThanOrEqual(0)
        expect(ndcgAt({ targetRanks }, k)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('ndcg is 1 when everything expected comes first', () => {
    expect(ndcgAt({ targetRanks: [1, 2, 3] }, 5)).toBeCloseTo(1, 12)
    expect(ndcgAt({ targetRanks: [1, 1] }, 5)).toBe(1)
    expect(ndcgAt({ targetRanks: [2] }, 5)).toBeCloseTo(1 / Math.log2(3), 12)
    expect(ndcgAt({ targetRanks: [6] }, 5)).toBe(0)
  })
})

describe('percentile', () => {
  it.each([
    [[3, 1, 2], 0.5, 2],
    [[1], 0.95, 1],
    [Array.from({ length: 100 }, (_, i) => i + 1), 0.95, 95],
    [[], 0.95, 0],
  ])('of %j at %s is %s', (values, at, expected) => {
    expect(percentile(values as number[], at as number)).toBe(expected)
  })
})
