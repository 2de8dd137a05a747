import { describe, expect, it } from 'vitest'
import { caseResult } from '../../../test/support/case-result.ts'
import { objectiveOf } from './auto-objective.ts'

const found = (rank: number | null, confidence: 'sure' | 'close' | 'none', answerRight: boolean) =>
  objectiveOf(caseResult({ targetRanks: [rank], confidence, answerRight }))
const unanswerable = (confidence: 'sure' | 'close' | 'asks' | 'none') =>
  objectiveOf(caseResult({ expectedSources: [], confidence, answerRight: confidence === 'none' }))

describe('the objective of a case', () => {
  it('is highest for a right answer that is given as one', () => {
    const falling = [
      found(1, 'sure', true),
      found(1, 'close', true),
      found(1, 'none', false),
      found(2, 'none', false),
      found(null, 'none', false),
      found(null, 'sure', false),
    ]
    expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    expect([falling[0], falling.at(-1)]).toEqual([1, 0])
    expect(new Set(falling).size).toBe(falling.length)
  })

  it('is highest for saying so when there is no answer', () => {
    expect([unanswerable('none'), unanswerable('close'), unanswerable('asks'), unanswerable('sure')]).toEqual([
      1, 0.5, 0.5, 0,
    ])
  })
})
