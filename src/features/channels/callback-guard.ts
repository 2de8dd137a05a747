import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { withoutInvisible } from '../../kernel/invisible.ts'

/** Largest callback body that is read, in bytes. Both platforms send media by reference, so real bodies are a few KiB. */
export const MAX_CALLBACK_BYTES = 64 * 1024

/** A signed timestamp further than this from our clock, in either direction, is refused. */
const MAX_CLOCK_SKEW_MS = 5 * 60 * 1000

/** Compares two texts in a time that tells nothing about either; hashing first gives `timingSafeEqual` equal lengths. */
export function equalsInConstantTime(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

/**
 * Throws `unauthorized` (`stale_timestamp`) unless `timestampMs` is within five minutes of `nowMs`, both in milliseconds since
 * 1970. A recorded request is thereby worthless after that.
 */
export function assertFresh(timestampMs: number, nowMs: number): void {
  if (Math.abs(nowMs - timestampMs) <= MAX_CLOCK_SKEW_MS) return
  throw new AppError('unauthorized', 'stale_timestamp', 'timestamp: more than five minutes away from the present')
}

/** Reads a signed timestamp of decimal digits; anything else is `unauthorized`, because the signature rests on it. */
export function readTimestamp(value: unknown, unitMs: number): number {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value) * unitMs
  throw new AppError('unauthorized', 'bad_timestamp', 'timestamp: must be a number in decimal digits')
}

/** The body as text. Throws `too_large` over 64 KiB and `invalid` where it is not UTF-8. */
export function readCallbackBody(body: string | Uint8Array): string {
  const size = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  if (size > MAX_CALLBACK_BYTES) {
    throw new AppError('too_large', 'callback_too_large', `body: larger than ${MAX_CALLBACK_BYTES} bytes`)
  }
  return typeof body === 'string' ? body : decodeUtf8(body)
}

/** Strict UTF-8: replacement characters would silently change what a customer wrote. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('invalid', 'callback_not_utf8', 'body: not valid UTF-8', { cause })
  }
}

/**
 * Text that Postgres and JSON can both carry: NUL is refused by the first and a lone surrogate has no UTF-8 form, yet both
 * pass a JSON parser. Characters that nobody sees are left out.
 */
export function storableText(text: string): string {
  return withoutInvisible(text.replaceAll('\0', '').toWellFormed())
}

/** A JSON object or an element's fields, before anything is known of them. */
export type Fields = Readonly<Record<string, unknown>>
