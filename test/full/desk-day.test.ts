import { expect, it } from 'vitest'
import { playDayOnReplicas } from './support/desk-day.ts'

it('loses nothing of a day of eight people and 300 conversations, and tells everything once', async () => {
  const outcomes = await playDayOnReplicas({ people: 8, conversations: 300 })
  process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`)
  expect(outcomes.get('resolve 200')).toBeGreaterThanOrEqual(300)
})
