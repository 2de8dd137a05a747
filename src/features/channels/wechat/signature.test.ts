import { describe, expect, it } from 'vitest'
import { assertWechatSignature, wechatSignature } from './signature.ts'

const refused = expect.objectContaining({ kind: 'unauthorized', code: 'bad_signature' })

describe('wechatSignature', () => {
  it('gives the published value for token, timestamp and nonce', () => {
    expect(wechatSignature(['AAAAA', '1714037059', '486452656'])).toBe('899cf89e464efb63f54ddac96b0a0a235f53aa78')
  })

  it('gives the published value for an encrypted message', () => {
    const parts = ['RMNlACHlV5ThzfRlVS4D4', 'timestamp', 'nonce', 'encrypt']
    expect(wechatSignature(parts)).toBe('8edac0945683c119ee71c9f6256d76c48aa08a96')
  })

  it('does not depend on the order of its parts and leaves them as they were', () => {
    const parts = ['b', 'a', 'c']
    expect(wechatSignature(parts)).toBe(wechatSignature(['c', 'b', 'a']))
    expect(parts).toEqual(['b', 'a', 'c'])
  })
})

describe('assertWechatSignature', () => {
  const parts = ['AAAAA', '1714037059', '486452656']

  it('accepts the right signature', () => {
    expect(() => assertWechatSignature(wechatSignature(parts), parts)).not.toThrow()
  })

  it.each([
    undefined,
    '',
    '899cf89e464efb63f54ddac96b0a0a235f53aa79',
    '899CF89E464EFB63F54DDAC96B0A0A235F53AA78',
    ['899cf89e464efb63f54ddac96b0a0a235f53aa78'],
  ])('refuses %j', (signature) => {
    expect(() => assertWechatSignature(signature, parts)).toThrow(refused)
  })
})
