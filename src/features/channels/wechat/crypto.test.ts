import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeAesKey, decryptMessage, encryptMessage } from './crypto.ts'

const key = decodeAesKey('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG')
const cipher = { key, appId: 'wxb11529c136998cb6' }
const PUBLISHED = '5I0ViYLQqCiDyNw9bygZh0/YmH2YQR75I6aRPxeO0jQ0AZX0EAKM9B6XUaQbAhnY2DMYPXxc2qV9WiTiu4PU+Q=='

/** Encrypts plain bytes as they are, to build what no honest sender sends. */
function seal(plain: Buffer): string {
  const aes = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  return Buffer.concat([aes.update(plain), aes.final()]).toString('base64')
}

function refusal(code: string) {
  return expect.objectContaining({ kind: 'invalid', code })
}

describe('message encryption', () => {
  it('gives the published cipher text', () => {
    expect(encryptMessage(cipher, 'hehe', Buffer.alloc(16, 'a'))).toBe(PUBLISHED)
  })

  it('reads the published cipher text', () => {
    expect(decryptMessage(cipher, PUBLISHED)).toBe('hehe')
  })

  it('reads back whatever it wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (message) => {
        expect(decryptMessage(cipher, encryptMessage(cipher, message))).toBe(message)
      }),
    )
  })

  it('never gives the same cipher text twice', () => {
    expect(encryptMessage(cipher, 'hehe')).not.toBe(encryptMessage(cipher, 'hehe'))
  })

  it('answers any damage with an error of its own, never another', () => {
    const sealed = Buffer.from(encryptMessage(cipher, 'a message of some length'), 'base64')
    fc.assert(
      fc.property(fc.nat(sealed.byteLength - 1), fc.integer({ min: 1, max: 255 }), (position, flip) => {
        const damaged = Buffer.from(sealed)
        damaged[position] = damaged[position]! ^ flip
        try {
          expect(decryptMessage(cipher, damaged.toString('base64'))).not.toBe('a message of some length')
        } catch (error) {
          expect(error).toMatchObject({ kind: 'invalid' })
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('what is refused', () => {
  it.each(['', 'not base64!', PUBLISHED.slice(0, 40), `${PUBLISHED}\n`, 'AAAA'])('cipher text %j', (text) => {
    expect(() => decryptMessage(cipher, text)).toThrow(refusal('wechat_cipher_text'))
  })

  it('padding of 0, of more than a block and of unequal bytes', () => {
    expect(() => decryptMessage(cipher, seal(Buffer.alloc(32, 0)))).toThrow(refusal('wechat_padding'))
    expect(() => decryptMessage(cipher, seal(Buffer.alloc(64, 33)))).toThrow(refusal('wechat_padding'))
    const uneven = Buffer.alloc(32, 3)
    uneven[30] = 2
    expect(() => decryptMessage(cipher, seal(uneven))).toThrow(refusal('wechat_padding'))
    expect(() => decryptMessage(cipher, seal(Buffer.alloc(16, 32)))).toThrow(refusal('wechat_padding'))
  })

  it('a plain text too short for its length field, and a length beyond the end', () => {
    expect(() => decryptMessage(cipher, seal(Buffer.alloc(32, 32)))).toThrow(refusal('wechat_length'))
    const overlong = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 0, 255, 255]), Buffer.alloc(12, 12)])
    expect(() => decryptMessage(cipher, seal(overlong))).toThrow(refusal('wechat_length'))
  })

  it('a message for another account', () => {
    const foreign = encryptMessage({ key, appId: 'wx0000000000000000' }, 'hehe')
    expect(() => decryptMessage(cipher, foreign)).toThrow(refusal('wechat_app_id'))
  })

  it('another key', () => {
    const other = decodeAesKey('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefg')
    expect(() => decryptMessage({ ...cipher, key: other }, PUBLISHED)).toThrow(
      expect.objectContaining({ kind: 'invalid' }),
    )
  })

  it.each(['', 'short', 'a'.repeat(44), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}你`])('the key %j', (text) => {
    expect(() => decodeAesKey(text)).toThrow(refusal('wechat_aes_key'))
  })

  it('tells the caller the same for each, so that answers are no oracle', () => {
    const texts = [seal(Buffer.alloc(32, 0)), seal(Buffer.alloc(32, 32)), 'AAAA']
    const messages = texts.map((text) => {
      try {
        return decryptMessage(cipher, text)
      } catch (error) {
        return (error as Error).message
      }
    })
    expect(new Set(messages).size).toBe(1)
  })
})
