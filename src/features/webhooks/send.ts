import { bodyOf } from './body.ts'
import { signed } from './signature.ts'
import type { Attempt, WebhookEvent } from './types.ts'

export type Fetch = (
  url: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string; signal: AbortSignal; redirect: 'manual' },
) => Promise<Response>

export interface SendOptions {
  fetch: Fetch
  timeoutMs: number
  now(): number
}

/** Characters of an answer that are kept, for whoever looks for what is wrong. */
const MAX_ANSWER = 500
const MAX_ANSWER_BYTES = 4_096
/** For the rest of an answer whose status is known. */
const READING_MS = 1_000

/**
 * One attempt. An answer of 2xx takes the event, whatever becomes of its body; a redirect does not, as it would carry the
 * event to a host that nobody named.
 */
export async function sendEvent(
  { fetch, timeoutMs, now }: SendOptions,
  { url, secrets }: { url: string; secrets: readonly string[] },
  event: WebhookEvent,
): Promise<Attempt & { isTaken: boolean; retryAfter: string | null }> {
  const startedAt = now()
  const body = bodyOf(event)
  const attempt = (rest: Pick<Attempt, 'status' | 'error' | 'answer'>) => ({
    attemptedAt: new Date(startedAt),
    durationMs: Math.max(0, Math.round(now() - startedAt)),
    ...rest,
  })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Frontdesk',
        ...signed(event.eventId, new Date(startedAt), body, secrets),
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
    })
    const { ok, status, headers } = response
    const answer = await beginningOf(response)
    const error = ok ? null : `answered ${status}`
    return { ...attempt({ status, error, answer }), isTaken: ok, retryAfter: headers.get('retry-after') }
  } catch (error) {
    return { ...attempt({ status: null, error: reasonOf(error), answer: '' }), isTaken: false, retryAfter: null }
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string } }
  const code = cause?.code === undefined ? '' : ` (${cause.code})`
  return `${message ?? String(error)}${code}`.slice(0, MAX_ANSWER)
}

/** An answer may go on for ever, or break off: what came within a moment is enough. */
async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), READING_MS)
  try {
    while (bytes < MAX_ANSWER_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      bytes += value.length
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    // The status was all that counts.
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => {})
  }
  return text.replaceAll('\0', '').toWellFormed().slice(0, MAX_ANSWER)
}
