import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** 24 to 64 bytes in base64, with or without the usual prefix; null: it is none. */
export function readSecret(given: string): string | null {
  const text = given.trim().replace(PREFIX, '')
  const bytes = Buffer.from(text, 'base64')
  const isBase64 = bytes.toString('base64') === text.padEnd(4 * Math.ceil(text.length / 4), '=')
  return isBase64 && bytes.length >= 24 && bytes.length <= 64 ? `${PREFIX}${bytes.toString('base64')}` : null
}

/**
 * The headers by which a receiver knows that a body is ours and new, one signature for each secret.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param at when it is sent
 */
export function signed(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(PREFIX, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
