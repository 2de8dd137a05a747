import { expect, it } from 'vitest'
import { withoutNearDuplicates } from './near-duplicates.ts'

const TEXT = 'To reset the kettle press the lid for 3 seconds, until the lamp goes out and it sings.'
const hit = (docId: string, content: string, question: string | null = null) => ({ docId, content, question })

it.each([
  ['the same text of another document', hit('b', TEXT), false],
  ['the same text, marked up otherwise', hit('b', `**${TEXT.toUpperCase()}**`), false],
  ['a text with another number', hit('b', TEXT.replace('3', '9')), true],
  ['a text with other words', hit('b', TEXT.replace('the lid', 'the red handle underneath')), true],
  ['the same answer to another question', hit('b', TEXT, 'How?'), true],
  ['what stands twice in one document', hit('a', TEXT), true],
  ['short texts', hit('b', 'Yes.'), true],
  ['同样的中文', hit('b', '按住壶盖三秒直到指示灯熄灭即可重置水壶'), true],
])('keeps or drops %s', (_, other, isKept) => {
  expect(withoutNearDuplicates([hit('a', TEXT), other])).toHaveLength(isKept ? 2 : 1)
})

it('drops Chinese text that is repeated', () => {
  const text = '按住壶盖三秒直到指示灯熄灭即可重置水壶'
  expect(withoutNearDuplicates([hit('a', text), hit('b', `${text}。`)])).toHaveLength(1)
})
