import { encryptMessage, type WechatCipher } from './crypto.ts'
import type { WechatMessage } from './message.ts'
import { wechatSignature } from './signature.ts'

/**
 * The answer for "received, nothing to say now"; WeChat neither retries nor shows an error to the customer.
 * Source: https://developers.weixin.qq.com/doc/offiaccount/en/Message_Management/Passive_user_reply_message.html
 */
export const WECHAT_ACKNOWLEDGEMENT = 'success'

/** The message's addresses, which the answer in place swaps. */
export type WechatAddresses = Pick<WechatMessage, 'toUser' | 'fromUser'>

/** A text answer as plain XML. */
export function buildTextReply(to: WechatAddresses, text: string, nowMs: number): string {
  const fields = [
    `<ToUserName>${cdata(to.fromUser)}</ToUserName>`,
    `<FromUserName>${cdata(to.toUser)}</FromUserName>`,
    `<CreateTime>${Math.floor(nowMs / 1000)}</CreateTime>`,
    `<MsgType>${cdata('text')}</MsgType>`,
    `<Content>${cdata(text)}</Content>`,
  ]
  return `<xml>${fields.join('')}</xml>`
}

/** Wraps any reply XML for encrypted mode. `nonce` is a fresh random text; the signature covers the cipher text. */
export function buildEncryptedReply(
  sealing: { cipher: WechatCipher; token: string; nonce: string; nowMs: number },
  replyXml: string,
): string {
  const encrypted = encryptMessage(sealing.cipher, replyXml)
  const timestamp = String(Math.floor(sealing.nowMs / 1000))
  const signature = wechatSignature([sealing.token, timestamp, sealing.nonce, encrypted])
  const fields = [
    `<Encrypt>${cdata(encrypted)}</Encrypt>`,
    `<MsgSignature>${cdata(signature)}</MsgSignature>`,
    `<TimeStamp>${timestamp}</TimeStamp>`,
    `<Nonce>${cdata(sealing.nonce)}</Nonce>`,
  ]
  return `<xml>${fields.join('')}</xml>`
}

/** A CDATA section has no escape: `]]>` is spread over two sections, and characters outside XML 1.0 are dropped. */
function cdata(text: string): string {
  return `<![CDATA[${xmlCharacters(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

function xmlCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are what XML 1.0 (section 2.2) excludes
  return text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
}
