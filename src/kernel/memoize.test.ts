import { expect, it, vi } from 'vitest'
import { memoize } from './memoize.ts'

it('computes what it has not seen, and what it may not remember', () => {
  const compute = vi.fn((text: string) => text.toUpperCase())
  const upper = memoize(compute, { maxEntries: 2, maxLength: 3, keep: (text) => text !== 'no' })
  for (const text of ['a', 'a', 'long', 'long', 'no', 'no']) expect(upper(text)).toBe(text.toUpperCase())
  expect(compute.mock.calls.flat()).toEqual(['a', 'long', 'long', 'no', 'no'])
  for (const text of ['b', 'c', 'a', 'a']) upper(text)
  expect(compute).toHaveBeenCalledTimes(8)
})
