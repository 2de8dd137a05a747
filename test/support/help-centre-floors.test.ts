import { expect, test } from 'vitest'
import { asAim, reaches } from '../../bench/help-centres/floors.ts'
import { chooseQuestions } from '../../bench/help-centres/replies.ts'
import type { Asked } from '../../bench/help-centres/score.ts'

test.each([
  [0.36, { least: 0.36 }, true],
  [0.359, { least: 0.36 }, false],
  [3, { most: 3 }, true],
  [4, { most: 3 }, false],
  [null, { most: 3 }, false],
  [null, undefined, true],
])('%j beside %j: %j', (value, floor, expected) => {
  expect(reaches({ name: 'figure', value, ...(floor ? { floor } : {}) })).toBe(expected)
})

test('an aim is said as it is meant', () => {
  expect([asAim({ least: 0.5 }), asAim({ most: 0 }), asAim(undefined)]).toEqual(['at least 0.5', 'at most 0', ''])
})

test('the same seed draws the same questions, of those that have an answer', () => {
  const results = Array.from({ length: 30 }, (_, i) => asked(`q${i}`, i % 3 > 0))
  const chosen = chooseQuestions(results, 5, 14)
  expect(chosen).toHaveLength(5)
  expect(chooseQuestions(results, 5, 14)).toEqual(chosen)
  expect(chooseQuestions(results, 5, 15)).not.toEqual(chosen)
  expect(chooseQuestions(results, 100, 14)).toHaveLength(20)
})

function asked(id: string, answerable: boolean): Asked {
  const said = { verdict: 'right', length: 1, reply: 'yes' }
  return { id, conversation: id, turn: 1, question: 'why', note: 'because', kind: 'fact', answerable, ...said }
}
