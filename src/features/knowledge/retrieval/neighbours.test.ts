import { expect, it } from 'vitest'
import { hit } from '../../../../test/support/turns.ts'
import { joinNeighbours } from './neighbours.ts'

const passage = (docId: string, ordinal: number, score: number, content = `${docId} ${ordinal}`) =>
  hit(content, score, { docId, ordinal, chunkId: ordinal })

it('reads passages side by side as one, in the place of the best', () => {
  const hits = [passage('a', 4, 0.9), passage('b', 1, 0.8), passage('a', 3, 0.7), passage('a', 7, 0.6)]
  expect(joinNeighbours(hits, 10).map(({ content, score }) => [content, score])).toEqual([
    ['a 3\n\na 4', 0.9],
    ['b 1', 0.8],
    ['a 7', 0.6],
  ])
})

it('says nothing twice where one passage repeats the end of the other', () => {
  const hits = [passage('a', 1, 0.9, 'One. Two.'), passage('a', 2, 0.8, 'Two. Three.')]
  expect(joinNeighbours(hits, 1)[0]?.content).toBe('One. Two.\n\nThree.')
})

it('joins neither pairs of a question and its answer nor versions of a document', () => {
  const pair = (ordinal: number) => ({ ...passage('a', ordinal, 0.5), question: 'Why?' })
  expect(joinNeighbours([pair(1), pair(2)], 10)).toHaveLength(2)
  expect(joinNeighbours([passage('a', 1, 0.5), { ...passage('a', 2, 0.4), version: 2 }], 10)).toHaveLength(2)
})

it('gives as many as are wanted', () => {
  expect(joinNeighbours([passage('a', 1, 0.9), passage('b', 1, 0.8), passage('c', 1, 0.7)], 2)).toHaveLength(2)
})
