import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import { decodeUtf8 } from '../callback-guard.ts'

/**
 * WeChat's message encryption: AES-256-CBC with the first half of the key as the iv over
 * `16 random bytes | uint32 big-endian length | message | app id`, padded by PKCS#7 to blocks of 32 bytes.
 * Source: https://developers.weixin.qq.com/doc/oplatform/en/Third-party_Platforms/2.0/api/Before_Develop/Technical_Plan.html
 */
const ALGORITHM = 'aes-256-cbc'
const PADDING_BLOCK = 32
const RANDOM_LENGTH = 16
const LENGTH_FIELD = 4

/** Both halves of the secret that the platform and we share. `key` is 32 bytes, see {@link decodeAesKey}. */
export type WechatCipher = { key: Buffer; appId: string }

/** The 32 key bytes of an EncodingAESKey: 43 base64 characters, the `=` left off. Throws `invalid` for anything else. */
export function decodeAesKey(encodingAesKey: string): Buffer {
  if (/^[A-Za-z0-9+/]{43}$/.test(encodingAesKey)) return Buffer.from(`${encodingAesKey}=`, 'base64')
  throw new AppError('invalid', 'wechat_aes_key', 'WECHAT_ENCODING_AES_KEY: must be 43 characters of base64')
}

/** Encrypts `message` to base64. `random` is 16 bytes, given only by tests that need a known result. */
export function encryptMessage({ key, appId }: WechatCipher, message: string, random = randomBytes(16)): string {
  const body = Buffer.from(message)
  const length = Buffer.alloc(LENGTH_FIELD)
  length.writeUInt32BE(body.byteLength)
  const cipher = createCipheriv(ALGORITHM, key, key.subarray(0, 16)).setAutoPadding(false)
  const plain = pad(Buffer.concat([random, length, body, Buffer.from(appId)]))
  return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64')
}

/**
 * Decrypts a base64 text and returns its message. Throws `invalid` with the codes `wechat_cipher_text` (not base64 of whole
 * blocks), `wechat_padding`, `wechat_length`, `wechat_app_id` (made for another account) and `callback_not_utf8`. All but
 * the last say the same to the caller, so that the answer is no oracle for guessing plain text.
 */
export function decryptMessage({ key, appId }: WechatCipher, encrypted: string): string {
  const plain = unpad(decipher(key, encrypted))
  const start = RANDOM_LENGTH + LENGTH_FIELD
  if (plain.byteLength < start) throw unreadable('wechat_length')
  const end = start + plain.readUInt32BE(RANDOM_LENGTH)
  if (end > plain.byteLength) throw unreadable('wechat_length')
  if (!plain.subarray(end).equals(Buffer.from(appId))) throw unreadable('wechat_app_id')
  return decodeUtf8(plain.subarray(start, end))
}

function decipher(key: Buffer, encrypted: string): Buffer {
  const bytes = Buffer.from(encrypted, 'base64')
  const isWholeBlocks = bytes.byteLength > 0 && bytes.byteLength % 16 === 0
  if (!isWholeBlocks || bytes.toString('base64') !== encrypted) throw unreadable('wechat_cipher_text')
  const cipher = createDecipheriv(ALGORITHM, key, key.subarray(0, 16)).setAutoPadding(false)
  return Buffer.concat([cipher.update(bytes), cipher.final()])
}

function pad(bytes: Buffer): Buffer {
  const count = PADDING_BLOCK - (bytes.byteLength % PADDING_BLOCK)
  return Buffer.concat([bytes, Buffer.alloc(count, count)])
}

function unpad(bytes: Buffer): Buffer {
  const count = bytes.at(-1) ?? 0
  const padding = bytes.subarray(-count)
  const isValid =
    count >= 1 && count <= PADDING_BLOCK && padding.byteLength === count && padding.every((b) => b === count)
  if (!isValid) throw unreadable('wechat_padding')
  return bytes.subarray(0, -count)
}

function unreadable(code: string): AppError {
  return new AppError('invalid', code, 'Encrypt: cannot be read with the configured key and app id')
}
