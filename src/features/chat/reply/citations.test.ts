import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCitations } from './citations.ts'

function read(pieces: readonly string[]): string {
  const citations = createCitations((passage) => passage >= 1 && passage <= 3)
  return pieces.map((piece) => citations.push(piece)).join('') + citations.end()
}

describe('citations', () => {
  it.each([
    ['Seven days [1].', 'Seven days [1].'],
    ['Seven days [1, 3].', 'Seven days [1][3].'],
    ['Seven days [1-3]', 'Seven days [1][2][3]'],
    ['七天内可退【2】。', '七天内可退[2]。'],
    ['七天内可退［２］', '七天内可退[2]'],
    ['Seven days [Passage 2; 5].', 'Seven days [2].'],
    ['Nobody says so [5].', 'Nobody says so.'],
    ['Nobody says so [0][4] at all', 'Nobody says so at all'],
    ['Nobody says so [1-99999].', 'Nobody says so.'],
    ['Press [Save] and [here](a.example).', 'Press [Save] and [here](a.example).'],
    ['An open [1', 'An open [1'],
    [`[${'long '.repeat(20)}] [1]`, `[${'long '.repeat(20)}] [1]`],
    ['[[2] x\n[3]', '[[2] x\n[3]'],
  ])('reads %s', (text, expected) => {
    expect(read([text])).toBe(expected)
  })

  it('says the same however the text is cut', () => {
    const part = fc.constantFrom('a', ' ', '\n', '[', ']', '【', '】', '1', '2', '9', ',', '-', 'passage ')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        expect(read(parts)).toBe(read([parts.join('')]))
      }),
    )
  })

  it('holds back nothing but what may become a citation', () => {
    const citations = createCitations(() => true)
    expect(citations.push('Seven days [')).toBe('Seven days')
    expect(citations.push('1')).toBe('')
    expect(citations.push(']. And')).toBe(' [1]. And')
  })
})
