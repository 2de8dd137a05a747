import { describe, expect, it } from 'vitest'
import { assertDingtalkSignature, dingtalkSignature } from './signature.ts'

const appSecret = 'this is secret'
const timestamp = '1577262236757'
const sign = 'hmPWwU+7lVdm3ZZz0r9tSfx0L4Q26jWOZr9+Gs6EZQM='
const NOW_MS = 1_577_262_236_757
const TOLERANCE_MS = 300_000

describe('dingtalkSignature', () => {
  it('gives the published value', () => {
    expect(dingtalkSignature(timestamp, appSecret)).toBe(sign)
  })
})

describe('assertDingtalkSignature', () => {
  it('accepts the published request up to five minutes to either side', () => {
    for (const nowMs of [NOW_MS, NOW_MS + TOLERANCE_MS, NOW_MS - TOLERANCE_MS]) {
      expect(() => assertDingtalkSignature({ timestamp, sign }, appSecret, nowMs)).not.toThrow()
    }
  })

  it('refuses it beyond', () => {
    for (const nowMs of [NOW_MS + TOLERANCE_MS + 1, NOW_MS - TOLERANCE_MS - 1]) {
      expect(() => assertDingtalkSignature({ timestamp, sign }, appSecret, nowMs)).toThrow(
        expect.objectContaining({ kind: 'unauthorized', code: 'stale_timestamp' }),
      )
    }
  })

  it.each([
    {},
    { timestamp },
    { sign },
    { timestamp, sign: sign.replace('h', 'i') },
    { timestamp: '1577262236758', sign },
    { timestamp: [timestamp], sign },
    { timestamp, sign: [sign, sign] },
    { timestamp, sign: '' },
  ])('refuses the headers %j', (headers) => {
    expect(() => assertDingtalkSignature(headers, appSecret, NOW_MS)).toThrow(
      expect.objectContaining({ kind: 'unauthorized', code: 'bad_signature' }),
    )
  })

  it('refuses a timestamp that is no number, however well it is signed', () => {
    const headers = { timestamp: 'soon', sign: dingtalkSignature('soon', appSecret) }
    expect(() => assertDingtalkSignature(headers, appSecret, NOW_MS)).toThrow(
      expect.objectContaining({ kind: 'unauthorized', code: 'bad_timestamp' }),
    )
  })
})
