import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareWaiting, highestPriority, PRIORITIES, priorityRank, type WaitingSession } from './priority.ts'

describe('priorityRank', () => {
  it('rises from low to urgent', () => {
    expect(
      ['low', 'medium', 'high', 'urgent'].map((name) => priorityRank(name as (typeof PRIORITIES)[number])),
    ).toEqual([0, 1, 2, 3])
  })
})

describe('highestPriority', () => {
  it('is the most pressing one, low for none', () => {
    expect(highestPriority(['medium', 'urgent', 'low'])).toBe('urgent')
    expect(highestPriority(['medium', 'low'])).toBe('medium')
    expect(highestPriority([])).toBe('low')
  })
})

describe('compareWaiting', () => {
  it('puts higher priority first and the longest waiting among equals', () => {
    const waiting: WaitingSession[] = [
      { sessionId: 'a', priority: 'low', pendingSince: '2026-01-01T00:00:00Z' },
      { sessionId: 'b', priority: 'urgent', pendingSince: '2026-01-01T00:05:00Z' },
      { sessionId: 'c', priority: 'urgent', pendingSince: '2026-01-01T00:04:59.999Z' },
      { sessionId: 'd', priority: 'medium', pendingSince: Date.UTC(2026, 0, 1, 0, 1) },
      { sessionId: 'e', priority: 'medium', pendingSince: '2026-01-01T00:01:00Z' },
    ]
    expect([...waiting].sort(compareWaiting).map(({ sessionId }) => sessionId)).toEqual(['c', 'b', 'd', 'e', 'a'])
  })

  it('gives one order whatever the order of arrival', () => {
    const session = fc.record({
      sessionId: fc.string({ minLength: 1 }),
      priority: fc.constantFrom(...PRIORITIES),
      pendingSince: fc.integer({ min: 0, max: 5 }),
    })
    const sessions = fc.uniqueArray(session, { selector: ({ sessionId }) => sessionId, maxLength: 12 })
    fc.assert(
      fc.property(sessions, (given) => {
        const sorted = [...given].sort(compareWaiting)
        expect([...given].reverse().sort(compareWaiting)).toEqual(sorted)
      }),
    )
  })
})
