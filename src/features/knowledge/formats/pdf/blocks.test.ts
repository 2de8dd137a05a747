import { expect, it } from 'vitest'
import { blocksFromPages } from './blocks.ts'
import { readingOrder, rowsOf } from './layout.ts'

/** Lines of one size, one below the other, as wide as their text. */
function pageOf(texts: readonly string[]) {
  const spans = texts.map((text, i) => ({ text, x: 50, y: 700 - 14 * i, width: 5 * text.length, size: 10 }))
  return [{ number: 1, regions: readingOrder(rowsOf(spans)) }]
}

it('reads signs of symbol fonts as bullets, and leaves them out inside a line', () => {
  const page = pageOf(['Before you call:', '\uf0d8 Find the \uf0e0order number.', '\uf0b7Charge the phone.'])
  expect(blocksFromPages(page)).toEqual([
    { type: 'paragraph', text: 'Before you call:', page: 1 },
    { type: 'list', items: ['- Find the order number.', '- Charge the phone.'], page: 1 },
  ])
})

it.each([
  ['Online check-in closes for every passenger exactly', '1.5 hours before departure at the gate.'],
  ['The warranty of the robot vacuum is described in section', '2.3 of the manual that lies in the box.'],
])('joins a line that goes on with a number to the one above: %s', (above, below) => {
  expect(blocksFromPages(pageOf([above, below]))).toEqual([{ type: 'paragraph', text: `${above} ${below}`, page: 1 }])
})

it('takes a number that begins a line behind a sentence for a heading', () => {
  const page = pageOf(['All that is said here holds for every shop of ours.', '1.5 Returns'])
  expect(blocksFromPages(page)).toEqual([
    { type: 'paragraph', text: 'All that is said here holds for every shop of ours.', page: 1 },
    { type: 'heading', level: 2, text: '1.5 Returns', page: 1 },
  ])
})
