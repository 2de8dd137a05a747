import { describe, expect, it } from 'vitest'
import { asQuestion, fitness, type QuestionCandidate } from './questions.ts'

const usual = { likeness: 0.8, asks: false, words: 5, slips: 0 }
const worth = (text: string, more: Partial<QuestionCandidate> = {}) => fitness({ text, ...usual, ...more })

describe('a sentence that stands for many', () => {
  it('asks rather than tells', () => {
    const told = worth('The remote does not pair')
    expect(worth('How do I pair the remote?')).toBeGreaterThan(told)
    expect(worth('遥控器怎么配对')).toBeGreaterThan(worth('遥控器配对'))
    expect(worth('The remote does not pair', { asks: true })).toBeGreaterThan(told)
  })

  it('is near the middle, says enough, holds no slip', () => {
    const one = worth('The remote does not pair')
    expect(worth('The remote does not pair', { likeness: 0.9 })).toBeGreaterThan(one)
    expect(worth('The remote does not pair', { words: 1 })).toBeLessThan(one)
    expect(worth('The remtoe does not pair', { slips: 1 })).toBeLessThan(one)
  })

  it('shows nothing that was masked, and is no essay', () => {
    expect(worth('Where is order 4978877?')).toBe(0)
    expect(worth('Where is order 49778 of j***@example.com?')).toBe(0)
    expect(worth(`Where is it ${'x'.repeat(200)}?`)).toBe(0)
  })

  it('begins with a capital and ends without a comma', () => {
    expect(asQuestion('how do I pair the remote,  ')).toBe('How do I pair the remote')
    expect(asQuestion('iPhone does not connect')).toBe('iPhone does not connect')
    expect(asQuestion('遥控器怎么配对，')).toBe('遥控器怎么配对')
  })
})
