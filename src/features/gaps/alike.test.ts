import { expect, it } from 'vitest'
import { builtInMeaning } from '../../ai/embedder/built-in.ts'
import { createAnalyser } from '../../language/words/analyser.ts'
import { likeness, nearestOf, toCompared } from './alike.ts'

const analyser = createAnalyser()
const compared = (text: string) => toCompared(text, (words) => builtInMeaning(analyser.words(words), 'question'))
const areAlike = (a: string, b: string): boolean => likeness(compared(a), compared(b)) > 0

it.each([
  ['Do you ship to Norway?', 'Can you deliver to Norway?'],
  ['Is the kettle dishwasher safe?', 'May I put the kettle in the dishwasher?'],
  ['Do you offer student discounts?', 'is there a discount for students?'],
  ['你们能寄到挪威吗', '可以发货到挪威吗？'],
  ['你们能寄到挪威吗', 'Do you ship to Norway?'],
])('takes %j and %j for one need', (a, b) => {
  expect([areAlike(a, b), areAlike(b, a)]).toEqual([true, true])
})

it.each([
  ['Do you ship to Norway?', 'Do you sell gift cards?'],
  ['Can I pay with Bitcoin?', 'Can I pay by invoice?'],
  ['Is the kettle dishwasher safe?', 'How loud is the kettle?'],
  ['Where is your store in Berlin?', 'When does the store open?'],
  ['你们能寄到挪威吗', '可以用比特币付款吗'],
])('keeps %j and %j apart', (a, b) => {
  expect(areAlike(a, b)).toBe(false)
})

it('chooses the most alike of several groups', () => {
  const groups = ['Do you ship to Norway?', 'Do you ship to Sweden?'].map((text) => ({
    text,
    compared: compared(text),
  }))
  expect(nearestOf(compared('Can you ship to Sweden?'), groups)?.text).toBe('Do you ship to Sweden?')
  expect(nearestOf(compared('What is the meaning of life?'), groups)).toBeNull()
})
