import { describe, expect, it } from 'vitest'
import {
  assertFresh,
  equalsInConstantTime,
  MAX_CALLBACK_BYTES,
  readCallbackBody,
  readTimestamp,
  storableText,
} from './callback-guard.ts'

const TOLERANCE_MS = 300_000
const NOW_MS = 1_714_037_059_000

describe('equalsInConstantTime', () => {
  it('tells texts of equal and of different length apart', () => {
    expect(equalsInConstantTime('abc', 'abc')).toBe(true)
    expect(equalsInConstantTime('abc', 'abd')).toBe(false)
    expect(equalsInConstantTime('abc', 'abcd')).toBe(false)
    expect(equalsInConstantTime('', '')).toBe(true)
  })
})

describe('assertFresh', () => {
  it.each([0, TOLERANCE_MS, -TOLERANCE_MS])('accepts a timestamp %d ms away', (offset) => {
    expect(() => assertFresh(NOW_MS + offset, NOW_MS)).not.toThrow()
  })

  it.each([TOLERANCE_MS + 1, -TOLERANCE_MS - 1])('refuses a timestamp %d ms away', (offset) => {
    expect(() => assertFresh(NOW_MS + offset, NOW_MS)).toThrow(
      expect.objectContaining({ kind: 'unauthorized', code: 'stale_timestamp' }),
    )
  })
})

describe('readTimestamp', () => {
  it('reads decimal digits in the given unit', () => {
    expect(readTimestamp('1714037059', 1000)).toBe(NOW_MS)
  })

  it.each([undefined, '', '1e9', '-5', '0x10', ' 17', ['17'], 17, '9'.repeat(16)])('refuses %j', (value) => {
    expect(() => readTimestamp(value, 1)).toThrow(expect.objectContaining({ kind: 'unauthorized' }))
  })
})

describe('readCallbackBody', () => {
  it('reads exactly 64 KiB and refuses a byte more, counting bytes and not characters', () => {
    expect(readCallbackBody(Buffer.alloc(MAX_CALLBACK_BYTES, 'a'))).toHaveLength(MAX_CALLBACK_BYTES)
    const tooLarge = expect.objectContaining({ kind: 'too_large' })
    expect(() => readCallbackBody(Buffer.alloc(MAX_CALLBACK_BYTES + 1, 'a'))).toThrow(tooLarge)
    expect(() => readCallbackBody('你'.repeat(22_000))).toThrow(tooLarge)
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(() => readCallbackBody(Buffer.from([0xc3, 0x28]))).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'callback_not_utf8' }),
    )
  })
})

describe('storableText', () => {
  it('drops NUL and repairs lone surrogates', () => {
    expect(storableText('a\0b')).toBe('ab')
    expect(storableText('a\ud83d')).toBe('a\ufffd')
    expect(storableText('你好 😀')).toBe('你好 😀')
  })
})
