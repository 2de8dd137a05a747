import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeAesKey, decryptMessage } from './crypto.ts'
import { buildEncryptedReply, buildTextReply } from './reply.ts'
import { wechatSignature } from './signature.ts'
import { parseXmlFields } from './xml.ts'

const to = { toUser: 'gh_shop', fromUser: 'o-customer' }
const NOW_MS = 1_714_037_059_999

describe('buildTextReply', () => {
  it('swaps the addresses and writes the documented fields', () => {
    expect(buildTextReply(to, '您好', NOW_MS)).toBe(
      '<xml><ToUserName><![CDATA[o-customer]]></ToUserName><FromUserName><![CDATA[gh_shop]]></FromUserName>' +
        '<CreateTime>1714037059</CreateTime><MsgType><![CDATA[text]]></MsgType><Content><![CDATA[您好]]></Content></xml>',
    )
  })

  it('carries any text that XML can carry unchanged, the end of CDATA included', () => {
    const text = fc.array(fc.constantFrom(']', ']]>', '>', '<![CDATA[', '&', '<', '你', '😀', 'a', '\n'), {
      minLength: 1,
    })
    fc.assert(
      fc.property(text, (pieces) => {
        const content = pieces.join('')
        expect(parseXmlFields(buildTextReply(to, content, NOW_MS)).get('Content')).toBe(content)
      }),
    )
  })

  it('drops characters that XML cannot carry', () => {
    expect(parseXmlFields(buildTextReply(to, 'a\u0000\u0008\u001fb\ufffe\tc', NOW_MS)).get('Content')).toBe('ab\tc')
  })

  it('cannot be left by dropping a character from within the end of CDATA', () => {
    const xml = buildTextReply(to, ']]\u0000></Content>', NOW_MS)
    expect(parseXmlFields(xml).get('Content')).toBe(']]></Content>')
  })
})

describe('buildEncryptedReply', () => {
  it('seals the reply and signs the cipher text', () => {
    const cipher = { key: decodeAesKey('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'), appId: 'wxb11529c136998cb6' }
    const xml = buildEncryptedReply({ cipher, token: 'AAAAA', nonce: 'n1', nowMs: NOW_MS }, '<xml/>')
    const fields = parseXmlFields(xml)
    const encrypted = fields.get('Encrypt') ?? ''
    expect(decryptMessage(cipher, encrypted)).toBe('<xml/>')
    expect(fields.get('TimeStamp')).toBe('1714037059')
    expect(fields.get('Nonce')).toBe('n1')
    expect(fields.get('MsgSignature')).toBe(wechatSignature(['AAAAA', '1714037059', 'n1', encrypted]))
  })
})
