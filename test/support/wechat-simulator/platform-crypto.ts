// The platform's side of signing and sealing, written from WeChat's documentation apart from the code under test: a mistake
// shared by both sides would go unnoticed.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

export type Seal = { encodingAesKey: string; appId: string }

export function sign(...parts: string[]): string {
  return createHash('sha1').update(parts.sort().join('')).digest('hex')
}

export function seal({ encodingAesKey, appId }: Seal, text: string): string {
  const message = Buffer.from(text, 'utf8')
  const size = Buffer.from(message.length.toString(16).padStart(8, '0'), 'hex')
  const plain = Buffer.concat([randomBytes(16), size, message, Buffer.from(appId)])
  const fill = 32 - (plain.length % 32)
  const { key, iv } = secrets(encodingAesKey)
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(plain), cipher.update(Buffer.alloc(fill, fill))]).toString('base64')
}

/** The text inside, or an error that says what a real client would stumble over. */
export function open({ encodingAesKey, appId }: Seal, sealed: string): string {
  const { key, iv } = secrets(encodingAesKey)
  const decipher = createDecipheriv('aes-256-cbc', key, iv)
  decipher.setAutoPadding(false)
  const plain = decipher.update(Buffer.from(sealed, 'base64'))
  if (plain.length % 32 !== 0) throw new Error('the reply is not padded to blocks of 32 bytes')
  const fill = plain[plain.length - 1] ?? 0
  const size = Number.parseInt(plain.toString('hex', 16, 20), 16)
  const owner = plain.toString('utf8', 20 + size, plain.length - fill)
  if (owner !== appId) throw new Error(`the reply was sealed for the app id ${JSON.stringify(owner)}`)
  return plain.toString('utf8', 20, 20 + size)
}

function secrets(encodingAesKey: string): { key: Buffer; iv: Buffer } {
  const key = Buffer.from(`${encodingAesKey}=`, 'base64')
  return { key, iv: key.subarray(0, 16) }
}
