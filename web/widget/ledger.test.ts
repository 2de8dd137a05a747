import { expect, it } from 'vitest'
import { answerKey, createLedger, draft, type Message, settled } from './ledger.ts'

const said = (id: string, role: Message['role'] = 'user'): Message =>
  settled(draft(role, id, undefined, id), { message_id: id, key: undefined })
const idsOf = (ledger: ReturnType<typeof createLedger>) => ledger.messages.map(({ message_id: id }) => id)

it('holds each message once, in the order of the service, however it came', () => {
  const ledger = createLedger()
  ledger.follow([said('1'), said('2', 'assistant')])
  // Live, while 3 was said and has not come yet.
  expect(ledger.add(said('4', 'agent'))).toBe(true)
  expect(ledger.cursor).toBe('2')
  expect(ledger.follow([said('3', 'agent'), said('4', 'agent')]).map(({ message_id: id }) => id)).toEqual(['3'])
  expect(idsOf(ledger)).toEqual(['1', '2', '3', '4'])
  expect(ledger.cursor).toBe('4')
  expect(ledger.add(said('4', 'agent'))).toBe(false)
  expect(ledger.follow([])).toEqual([])
  expect(idsOf(ledger)).toEqual(['1', '2', '3', '4'])
})

it('shows what is on its way behind the rest, until the service has it', () => {
  const ledger = createLedger()
  const first = draft('user', 'first', 'sending', 'a')
  const second = draft('user', 'second', 'sending', 'b')
  const answer = draft('assistant', '', 'writing', answerKey('a'))
  ledger.begin(first)
  ledger.begin(second)
  ledger.begin(answer, first)
  ledger.rename(first, 'msg_a')
  expect(idsOf(ledger)).toEqual(['msg_a', 'a-reply', 'b'])
  ledger.follow([said('msg_a')])
  expect(idsOf(ledger)).toEqual(['msg_a', 'a-reply', 'b'])
  // It keeps the name under which it was shown.
  expect(ledger.messages[0]?.key).toBe('a')
  ledger.follow([said('reply', 'assistant')])
  expect(idsOf(ledger)).toEqual(['msg_a', 'reply', 'b'])
  ledger.end(first, answer)
  ledger.forget()
  expect(idsOf(ledger)).toEqual(['b'])
})

it('shows what was said and not answered where it stands', () => {
  const ledger = createLedger()
  const first = draft('user', 'first', 'unanswered', 'a')
  ledger.begin(first)
  ledger.rename(first, 'msg_a')
  ledger.follow([said('msg_a'), said('2', 'agent')])
  expect(ledger.messages.map(({ message_id, pending }) => [message_id, pending])).toEqual([
    ['msg_a', 'unanswered'],
    ['2', undefined],
  ])
})

it('keeps a thumb that was given meanwhile', () => {
  const ledger = createLedger()
  ledger.add({ ...said('1', 'assistant'), rating: 'up' })
  ledger.add(said('1', 'assistant'))
  expect(ledger.find('1')?.rating).toBe('up')
})
