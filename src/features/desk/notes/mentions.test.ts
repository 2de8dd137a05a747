import { expect, test } from 'vitest'
import { mentionsOf } from './mentions.ts'

const names = new Set(['li.na', 'bob', 'bob.'])

test.each([
  ['@li.na knows the warehouse', ['li.na']],
  ['请 @li.na 看一下，@bob', ['li.na', 'bob']],
  ['Ask @Li.Na.', ['li.na']],
  ['@bob @bob', ['bob']],
  ['@bob. is somebody else', ['bob.']],
  ['mail to me@bob', []],
  ['@nobody', []],
  ['@', []],
])('of %j are %j', (text, expected) => {
  expect(mentionsOf(text, names)).toEqual(expected)
})
