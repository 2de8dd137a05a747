import { AppError } from '../../kernel/errors.ts'
import { isJsonObject } from '../../kernel/json.ts'

/** The platform's `fetch`, injected so that tests need no network. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The answer of either platform to a call: `errcode` 0 or absent means done. */
export type PlatformAnswer = Record<string, unknown> & { errcode: number; errmsg: string }

/**
 * POSTs JSON and reads the JSON answer. Throws `unavailable` for what is the platform's failure: no answer within `timeoutMs`,
 * a status outside 2xx, a redirect, an answer that is not JSON, or `errcode` -1 (system busy). The URL carries
 * credentials on both platforms, so it appears in no error.
 */
export async function postToPlatform(
  fetch: Fetch,
  call: { platform: string; url: string; body: unknown; timeoutMs: number },
): Promise<PlatformAnswer> {
  const text = await post(fetch, call)
  const answer = parseAnswer(text)
  if (answer === null) throw unavailable(call.platform, 'answered something else than JSON')
  if (answer.errcode === -1) throw unavailable(call.platform, 'is busy')
  return answer
}

async function post(fetch: Fetch, call: { platform: string; url: string; body: unknown; timeoutMs: number }) {
  let status: number
  try {
    const response = await fetch(call.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(call.body),
      redirect: 'error',
      signal: AbortSignal.timeout(call.timeoutMs),
    })
    const text = await response.text()
    if (response.ok) return text
    status = response.status
  } catch (cause) {
    throw unavailable(call.platform, 'did not answer', cause)
  }
  throw unavailable(call.platform, `answered with status ${status}`)
}

function parseAnswer(text: string): PlatformAnswer | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return null
    const { errcode, errmsg } = value
    return { ...value, errcode: typeof errcode === 'number' ? errcode : 0, errmsg: String(errmsg ?? '') }
  } catch {
    return null
  }
}

function unavailable(platform: string, what: string, cause?: unknown): AppError {
  return new AppError('unavailable', 'platform_unavailable', `${platform} ${what}`, { cause })
}
