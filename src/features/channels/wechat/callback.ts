import { randomBytes } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import { assertFresh, readCallbackBody, readTimestamp } from '../callback-guard.ts'
import { decodeAesKey, decryptMessage, type WechatCipher } from './crypto.ts'
import { readWechatMessage, type WechatMessage } from './message.ts'
import { buildEncryptedReply, buildTextReply, WECHAT_ACKNOWLEDGEMENT } from './reply.ts'
import { assertWechatSignature } from './signature.ts'
import { parseXmlFields, type XmlFields } from './xml.ts'

/**
 * `encodingAesKey` set means that messages come encrypted. Plain ones are refused then, and with `requireEncryption`: the
 * signature of a plain message does not cover its body. (In WeChat's mode for changing over, messages come both ways in one.)
 */
export type WechatCallbackOptions = {
  token: string
  appId?: string
  encodingAesKey?: string
  requireEncryption?: boolean
  clock: Clock
}

/** Query parameters as the HTTP layer parsed them: a repeated one is an array, which no signature accepts. */
export type WechatQuery = Readonly<Record<string, unknown>>

/** `signature` is the one that was verified. */
export type ReceivedWechatMessage = { message: WechatMessage; encrypted: boolean; signature: string }

/**
 * WeChat's callback mode without any transport: what comes in is verified and read, what goes out is written. Throws
 * `invalid` at once when the key is malformed or given without the app id that its messages carry.
 */
export function createWechatCallback(options: WechatCallbackOptions) {
  const { token, clock } = options
  const cipher = createCipher(options)

  /** `unauthorized` for a wrong signature or a stale timestamp. */
  function assertSigned(query: WechatQuery, signature: unknown, ...covered: string[]): void {
    assertWechatSignature(signature, [token, parameter(query, 'timestamp'), parameter(query, 'nonce'), ...covered])
    assertFresh(readTimestamp(query.timestamp, 1000), clock.now())
  }

  /** Here the signature covers the cipher text, so the envelope has to be opened first; it is parsed as strictly as the letter. */
  function openEnvelope(query: WechatQuery, body: string | Uint8Array): string {
    if (!cipher) throw new AppError('invalid', 'wechat_no_key', 'encrypt_type: encrypted messages are not set up here')
    const encrypted = readEncrypt(parseXmlFields(readCallbackBody(body)))
    assertSigned(query, query.msg_signature, encrypted)
    return decryptMessage(cipher, encrypted)
  }

  return {
    /**
     * The platform's URL check: returns the text to answer with. It must be sent as `text/plain`, for the plain signature
     * does not cover it.
     */
    answerUrlCheck(query: WechatQuery): string {
      const echo = parameter(query, 'echostr')
      const isSealed = cipher && query.msg_signature !== undefined
      if (isSealed) assertSigned(query, query.msg_signature, echo)
      else assertSigned(query, query.signature)
      return isSealed ? decryptMessage(cipher, echo) : echo
    },

    /** Throws `unauthorized`, `too_large` or `invalid` (see the files that read each part). */
    receive(query: WechatQuery, body: string | Uint8Array): ReceivedWechatMessage {
      if (query.encrypt_type === 'aes') {
        const message = readWechatMessage(parseXmlFields(openEnvelope(query, body)))
        return { encrypted: true, message, signature: String(query.msg_signature) }
      }
      if (options.requireEncryption || cipher)
        throw new AppError('invalid', 'wechat_plain_body', 'encrypt_type: must be aes')
      assertSigned(query, query.signature)
      const message = readWechatMessage(parseXmlFields(readCallbackBody(body)))
      return { encrypted: false, message, signature: String(query.signature) }
    },

    /** The body to answer with, in the mode of the message; an empty text becomes the bare acknowledgement. */
    reply({ message, encrypted }: ReceivedWechatMessage, text: string): string {
      if (text.trim() === '') return WECHAT_ACKNOWLEDGEMENT
      const xml = buildTextReply(message, text, clock.now())
      if (!encrypted || !cipher) return xml
      return buildEncryptedReply({ cipher, token, nonce: randomBytes(8).toString('hex'), nowMs: clock.now() }, xml)
    },
  }
}

function createCipher({ appId, encodingAesKey }: WechatCallbackOptions): WechatCipher | null {
  if (!encodingAesKey) return null
  if (!appId) throw new AppError('invalid', 'wechat_app_id', 'WECHAT_APP_ID: needed with WECHAT_ENCODING_AES_KEY')
  return { key: decodeAesKey(encodingAesKey), appId }
}

function readEncrypt(fields: XmlFields): string {
  const encrypted = fields.get('Encrypt')?.trim() ?? ''
  if (encrypted === '') throw new AppError('invalid', 'callback_field', 'Encrypt is missing')
  return encrypted
}

function parameter(query: WechatQuery, name: string): string {
  const value = query[name]
  if (typeof value === 'string') return value
  throw new AppError('unauthorized', 'bad_signature', `${name}: must be given once`)
}
