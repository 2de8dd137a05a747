import { expect, it } from 'vitest'
import { shortened } from './excerpt.ts'

const TEXT = [
  'Wrong card details',
  'Check that the card number is right.',
  'Billing address',
  'The address must match what your bank knows of you.',
].join('\n\n')

it('shows that a heading with which it ends goes on', () => {
  expect(shortened(TEXT, 80)).toEqual({
    text: 'Wrong card details\n\nCheck that the card number is right.\n\nBilling address …',
    rest: 'The address must match what your bank knows of you.',
  })
})

it('gives what has room whole, and cuts at a sentence else', () => {
  expect(shortened(TEXT, 200)).toEqual({ text: TEXT, rest: '' })
  expect(shortened('One is here. Two is there. Three is gone.', 30)).toEqual({
    text: 'One is here. Two is there.',
    rest: 'Three is gone.',
  })
})

it('ends with an item of a list where it is cut there', () => {
  expect(shortened('Do this:\n\n- Open the lid\n- Close the lid\n- Press the button', 42).text).toBe(
    'Do this:\n\n- Open the lid\n- Close the lid',
  )
})
