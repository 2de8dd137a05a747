import { expect, it } from 'vitest'
import { playDayOnReplicas } from '../support/desk-day.ts'

/** `test/full/desk-day.test.ts` plays eight people and three hundred conversations. */
it('loses nothing of a short day of four people, and tells everything once', { timeout: 180_000 }, async () => {
  const outcomes = await playDayOnReplicas({ people: 4, conversations: 30 })
  expect(outcomes.get('resolve 200')).toBeGreaterThanOrEqual(30)
})
