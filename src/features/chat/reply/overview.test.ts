import { expect, it } from 'vitest'
import { hit, terms } from '../../../../test/support/turns.ts'
import { overviewOf } from './overview.ts'

const ROOM = 800
const HOURS = ['open', 'hour']
const section = (ordinal: number, heading: string, content: string, score: number) =>
  hit(content, score, { docId: 'doc_contact', ordinal, chunkId: ordinal, headingPath: [heading] })
const CHAT = section(0, 'Online chat', 'Every day 8:00–24:00.', 0.4)
const PHONE = section(1, 'Telephone', 'Our number is 400-333-0199, open 9:00–21:00.', 0.35)
const HOLIDAYS = section(8, 'Public holidays', 'The telephone is open 10:00–18:00.', 0.6)

it('gives the sections that answer alike, each under its heading and in the order of the page', () => {
  expect(overviewOf(HOURS, [HOLIDAYS, CHAT, PHONE], terms, ROOM)).toEqual({
    text: [
      'Online chat\nEvery day 8:00–24:00.',
      'Telephone\nOur number is 400-333-0199, open 9:00–21:00.',
      'Public holidays\nThe telephone is open 10:00–18:00.',
    ].join('\n\n'),
    used: [HOLIDAYS, CHAT, PHONE],
  })
})

it.each([
  ['nothing is asked about', [], [HOLIDAYS, CHAT, PHONE]],
  ['a heading holds a word of the question', ['holiday'], [HOLIDAYS, CHAT, PHONE]],
  ['another word than they share stands in one alone', ['open', 'number'], [HOLIDAYS, CHAT, PHONE]],
  ['two sections come near', HOURS, [HOLIDAYS, CHAT, { ...PHONE, score: 0.2 }]],
  ['the others stand in another document', HOURS, [HOLIDAYS, CHAT, { ...PHONE, docId: 'doc_other' }]],
  ['a question that was stored is found', HOURS, [{ ...HOLIDAYS, question: 'When are you open?' }, CHAT, PHONE]],
])('is none where %s', (_, asked, hits) => {
  expect(overviewOf(asked, hits, terms, ROOM)).toBeNull()
})

it('is none where there is no room for three', () => {
  expect(overviewOf(HOURS, [HOLIDAYS, CHAT, PHONE], terms, 60)).toBeNull()
})

it('cuts a long section, so that the others have room', () => {
  const long = { ...PHONE, content: 'We are there all day long. '.repeat(40) }
  const { text, used } = overviewOf(HOURS, [HOLIDAYS, CHAT, long], terms, ROOM) ?? {}
  expect(used).toHaveLength(3)
  expect(text?.length).toBeLessThan(ROOM)
})
