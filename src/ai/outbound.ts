import { setTimeout as pause } from 'node:timers/promises'

/** Shared by the clients of model endpoints: pauses between retries, and texts without secrets. */

export interface BackoffOptions {
  /** Upper bound of the first pause in milliseconds; doubles with each attempt. Default 300. */
  baseMs?: number
  /** Default 5,000 ms. */
  maxMs?: number
  /** The pause that the endpoint asked for; the pause is never shorter. */
  retryAfterMs?: number | null
  random?: () => number
}

/**
 * The pause before retry number `attempt` (from 0), in milliseconds: exponential with full jitter
 * (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 */
export function backoffMs(attempt: number, options: BackoffOptions = {}): number {
  const { baseMs = 300, maxMs = 5_000, retryAfterMs, random = Math.random } = options
  const ceiling = Math.min(maxMs, baseMs * 2 ** attempt)
  return Math.max(random() * ceiling, retryAfterMs ?? 0)
}

/** Reads `Retry-After` (RFC 9110, 10.2.3: seconds or a date) and the `retry-after-ms` that some vendors send. */
export function retryAfterMsOf(header: (name: string) => string | null | undefined, nowMs: number): number | null {
  const precise = numberOrNull(header('retry-after-ms'))
  if (precise !== null) return precise
  const value = header('retry-after')
  const seconds = numberOrNull(value)
  if (seconds !== null) return seconds * 1000
  // Date.parse takes nearly anything, a bare negative number too; an HTTP date begins with the name of a day.
  const date = /^[A-Z]/i.test(value ?? '') ? Date.parse(value ?? '') : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}

function numberOrNull(value: string | null | undefined): number | null {
  if (!value || value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) && number >= 0 ? number : null
}

/** A foreign text made fit for the log: on one line, shortened to 300 characters, without keys. */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  let cleaned = text.slice(0, 2_000)
  for (const secret of secrets) {
    if (secret && secret.length >= 4) cleaned = cleaned.replaceAll(secret, '[key]')
  }
  return cleaned
    .replace(/\b(?:sk|pk|rk|key|api)[-_][\w*.-]{4,}/gi, '[key]')
    .replace(/\bBearer\s+\S+/gi, 'Bearer [key]')
    .replace(/\s+/g, ' ')
    .slice(0, 300)
}

/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, signal ? { signal } : {}).catch(() => {})
  signal?.throwIfAborted()
}
