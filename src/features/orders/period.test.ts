import { expect, it } from 'vitest'
import { readOrderTalk } from '../../language/order-talk.ts'
import { fallsIn } from './period.ts'

// A Friday.
const NOW = Date.parse('2026-11-20T02:00:00Z')

it.each([
  ['what I ordered yesterday', '2026-11-19', '2026-11-18'],
  ['三天前买的那个', '2026-11-17', '2026-11-16'],
  ['上周收到的那个', '2026-11-15', '2026-11-16'],
  ['上周收到的那个', '2026-11-09', '2026-11-08'],
  ['the one I bought last month', '2026-10-31', '2026-11-01'],
  ['去年买的', '2025-12-31', '2026-01-01'],
  ['the one I bought in May', '2026-05-31', '2026-06-01'],
  ['the one I bought in December', '2025-12-01', '2026-12-01'],
  ['11月5号下的单', '2026-11-05', '2026-11-06'],
  ['two weeks ago I ordered a lamp', '2026-11-08', '2026-11-09'],
])('%s', (message, inside, outside) => {
  const { when } = readOrderTalk(message, [])
  expect(when).not.toBeNull()
  expect(when && fallsIn(Date.parse(inside), when, NOW)).toBe(true)
  expect(when && fallsIn(Date.parse(outside), when, NOW)).toBe(false)
})

it.each(['I returned it last week', '等了三天了', 'it takes 3 days'])('%s is no time of an order', (message) => {
  expect(readOrderTalk(message, []).when).toBeNull()
})
