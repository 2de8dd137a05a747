import { describe, expect, it } from 'vitest'
import { createWechatCallback, type WechatQuery } from './callback.ts'
import { decodeAesKey, decryptMessage, encryptMessage } from './crypto.ts'
import { wechatSignature } from './signature.ts'
import { parseXmlFields } from './xml.ts'

const token = 'AAAAA'
const timestamp = '1714037059'
const nonce = '486452656'
const appId = 'wxb11529c136998cb6'
const encodingAesKey = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'
const cipher = { key: decodeAesKey(encodingAesKey), appId }
const clock = { now: () => 1_714_037_060_000 }

const plainMode = createWechatCallback({ token, clock })
const encryptedMode = createWechatCallback({ token, appId, encodingAesKey, clock })

const textXml =
  '<xml><ToUserName><![CDATA[gh_shop]]></ToUserName><FromUserName><![CDATA[o-1]]></FromUserName>' +
  '<CreateTime>1714037059</CreateTime><MsgType><![CDATA[text]]></MsgType><Content><![CDATA[退货]]></Content>' +
  '<MsgId>42</MsgId></xml>'

const signed: WechatQuery = { signature: wechatSignature([token, timestamp, nonce]), timestamp, nonce }

function sealed(message: string, key = cipher): { query: WechatQuery; body: string } {
  const encrypted = encryptMessage(key, message)
  const msg_signature = wechatSignature([token, timestamp, nonce, encrypted])
  const query = { ...signed, encrypt_type: 'aes', msg_signature }
  return { query, body: `<xml><ToUserName>gh_shop</ToUserName><Encrypt><![CDATA[${encrypted}]]></Encrypt></xml>` }
}

function refusal(kind: string, code: string) {
  return expect.objectContaining({ kind, code })
}

describe('URL check', () => {
  it('answers the echo text as it is', () => {
    expect(plainMode.answerUrlCheck({ ...signed, echostr: '4375120948345356249' })).toBe('4375120948345356249')
  })

  it('answers the decrypted echo text in encrypted mode, and accepts the plain form there too', () => {
    const echostr = encryptMessage(cipher, 'echo me')
    const msg_signature = wechatSignature([token, timestamp, nonce, echostr])
    expect(encryptedMode.answerUrlCheck({ timestamp, nonce, msg_signature, echostr })).toBe('echo me')
    expect(encryptedMode.answerUrlCheck({ ...signed, echostr: 'plain' })).toBe('plain')
  })

  it.each([
    ['a forged signature', { ...signed, signature: '0'.repeat(40), echostr: 'x' }],
    ['no signature', { timestamp, nonce, echostr: 'x' }],
    ['no echo text', signed],
    ['no nonce', { ...signed, nonce: undefined, echostr: 'x' }],
    ['a repeated timestamp', { ...signed, timestamp: [timestamp, timestamp], echostr: 'x' }],
    ['another timestamp than the signed one', { ...signed, timestamp: '1714037058', echostr: 'x' }],
  ])('refuses %s', (_, query) => {
    expect(() => plainMode.answerUrlCheck(query)).toThrow(refusal('unauthorized', 'bad_signature'))
  })

  it('refuses a forged signature of an encrypted echo text', () => {
    const query = { ...signed, msg_signature: signed.signature, echostr: encryptMessage(cipher, 'x') }
    expect(() => encryptedMode.answerUrlCheck(query)).toThrow(refusal('unauthorized', 'bad_signature'))
  })

  it('refuses a timestamp that is rightly signed and over five minutes old', () => {
    const late = createWechatCallback({ token, clock: { now: () => 1_714_037_059_000 + 300_001 } })
    expect(() => late.answerUrlCheck({ ...signed, echostr: 'x' })).toThrow(refusal('unauthorized', 'stale_timestamp'))
  })
})

describe('messages', () => {
  it('reads a plain one from text and from bytes', () => {
    const fromText = plainMode.receive(signed, textXml)
    expect(fromText).toEqual(plainMode.receive(signed, Buffer.from(textXml)))
    expect(fromText).toMatchObject({ encrypted: false, message: { fromUser: 'o-1', content: { text: '退货' } } })
  })

  it('reads an encrypted one', () => {
    const { query, body } = sealed(textXml)
    expect(encryptedMode.receive(query, body)).toMatchObject({ encrypted: true, message: { messageId: '42' } })
  })

  it('refuses a plain one in encrypted mode, and where that is asked for', () => {
    expect(() => encryptedMode.receive(signed, textXml)).toThrow(refusal('invalid', 'wechat_plain_body'))
    const strict = createWechatCallback({ token, requireEncryption: true, clock })
    expect(() => strict.receive(signed, textXml)).toThrow(refusal('invalid', 'wechat_plain_body'))
  })

  it('checks the signature before it reads anything of a plain body', () => {
    const forged = { ...signed, signature: '0'.repeat(40) }
    expect(() => plainMode.receive(forged, '<not xml')).toThrow(refusal('unauthorized', 'bad_signature'))
  })

  it('refuses cipher text that the signature does not cover, even under a valid plain signature', () => {
    const { body } = sealed(textXml)
    const query = { ...signed, encrypt_type: 'aes', msg_signature: signed.signature }
    expect(() => encryptedMode.receive(query, body)).toThrow(refusal('unauthorized', 'bad_signature'))
  })

  it('refuses a stale encrypted message', () => {
    const late = createWechatCallback({ token, appId, encodingAesKey, clock: { now: () => 0 } })
    const { query, body } = sealed(textXml)
    expect(() => late.receive(query, body)).toThrow(refusal('unauthorized', 'stale_timestamp'))
  })

  it('refuses a message made for another account', () => {
    const { query, body } = sealed(textXml, { ...cipher, appId: 'wx1' })
    expect(() => encryptedMode.receive(query, body)).toThrow(refusal('invalid', 'wechat_app_id'))
  })

  it('refuses a DOCTYPE inside the encrypted message and in the envelope', () => {
    const { query, body } = sealed(`<!DOCTYPE x>${textXml}`)
    expect(() => encryptedMode.receive(query, body)).toThrow(refusal('invalid', 'callback_xml'))
    const good = sealed(textXml)
    expect(() => encryptedMode.receive(good.query, `<!DOCTYPE x>${good.body}`)).toThrow(
      refusal('invalid', 'callback_xml'),
    )
  })

  it('refuses an envelope without cipher text, and encrypted messages where no key is set', () => {
    const { query, body } = sealed(textXml)
    expect(() => encryptedMode.receive(query, '<xml><A>1</A></xml>')).toThrow(refusal('invalid', 'callback_field'))
    expect(() => plainMode.receive(query, body)).toThrow(refusal('invalid', 'wechat_no_key'))
  })

  it('refuses a body over 64 KiB', () => {
    expect(() => plainMode.receive(signed, 'x'.repeat(65_537))).toThrow(refusal('too_large', 'callback_too_large'))
  })
})

describe('replies', () => {
  it('answers in the mode of the message', () => {
    const plain = plainMode.receive(signed, textXml)
    expect(parseXmlFields(plainMode.reply(plain, '好的')).get('Content')).toBe('好的')

    const { query, body } = sealed(textXml)
    const envelope = parseXmlFields(encryptedMode.reply(encryptedMode.receive(query, body), '好的'))
    const encrypted = envelope.get('Encrypt') ?? ''
    const parts = [token, envelope.get('TimeStamp') ?? '', envelope.get('Nonce') ?? '', encrypted]
    expect(envelope.get('MsgSignature')).toBe(wechatSignature(parts))
    const reply = parseXmlFields(decryptMessage(cipher, encrypted))
    expect(Object.fromEntries(reply)).toMatchObject({ ToUserName: 'o-1', FromUserName: 'gh_shop', Content: '好的' })
  })

  it('acknowledges with the bare word when there is nothing to say', () => {
    expect(plainMode.reply(plainMode.receive(signed, textXml), ' \n')).toBe('success')
  })
})

describe('settings', () => {
  it('are refused at once: a malformed key, and a key without an app id', () => {
    expect(() => createWechatCallback({ token, appId, encodingAesKey: 'short', clock })).toThrow(
      refusal('invalid', 'wechat_aes_key'),
    )
    expect(() => createWechatCallback({ token, appId: '', encodingAesKey, clock })).toThrow(
      refusal('invalid', 'wechat_app_id'),
    )
  })

  it('may leave the key empty', () => {
    expect(() => createWechatCallback({ token, appId: '', encodingAesKey: '', clock })).not.toThrow()
  })
})
