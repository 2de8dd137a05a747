import { describe, expect, it } from 'vitest'
import { labelsOf } from './scale-labels.ts'

describe('numbers below scores', () => {
  it('stand by themselves where there is room', () => {
    expect(labelsOf([500, 300, 100])).toEqual([
      { x: 100, text: '3' },
      { x: 300, text: '2' },
      { x: 500, text: '1' },
    ])
  })

  it('are one where the points nearly cover each other, and never overlap', () => {
    expect(labelsOf([300, 296, 292, 100, 90])).toEqual([
      { x: 95, text: '4–5' },
      { x: 296, text: '1–3' },
    ])
    expect(labelsOf([100, 50, 95]).map(({ text }) => text)).toEqual(['2', '1, 3'])
  })
})
