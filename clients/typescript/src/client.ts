import { FrontdeskError } from './error.ts'
import { type Client, type ClientOptions, clientOf, type RawInput, type Route, sendOnce } from './plain-client.ts'
import type { Upload } from './upload.ts'
import { backOff, wait } from './wait.ts'

const LONGEST_RETRY_AFTER_S = 60

export function createClient(options: ClientOptions = {}): Client {
  return clientOf((route, input = {}) => sendPatiently(options, route, input))
}

async function sendPatiently(options: ClientOptions, route: Route, input: RawInput): Promise<Response> {
  const filled = fillIn(route, input.path ?? {})
  const headers = { ...(options.apiKey ? { 'x-api-key': options.apiKey } : {}), ...input.headers }
  const whole = { ...input, headers, ...(input.form ? { form: toForm(input.form) } : {}) }
  const tries = route.startsWith('GET ') || input.idempotencyKey ? (options.retries ?? 2) : 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(options, filled, whole)
    } catch (failure) {
      const pause = pauseAfter(failure, attempt)
      if (pause === null || attempt >= tries) throw failure
      await wait(pause, input.signal)
    }
  }
}

/** Milliseconds until another try; null: it would fail as well. */
function pauseAfter(failure: unknown, attempt: number): number | null {
  if (failure instanceof FrontdeskError) {
    const { status, retryAfter } = failure
    if ((status !== 429 && status !== 503) || (retryAfter ?? 0) > LONGEST_RETRY_AFTER_S) return null
    return retryAfter === null ? backOff(attempt) : retryAfter * 1000
  }
  // The network's own failures are of this kind, says the standard of fetch.
  return failure instanceof TypeError ? backOff(attempt) : null
}

function fillIn(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    // Addresses with these are another path before they leave.
    if (/^\.{0,2}$/.test(value)) throw new RangeError(`${name}: "${value}" cannot stand in a path`)
    return encodeURIComponent(value)
  })
}

function toForm(fields: object): FormData {
  const form = new FormData()
  const entries = Object.entries(fields) as [string, Upload | string | number | boolean | null | undefined][]
  // Files last: who reads a form as it comes knows everything else by then.
  for (const [name, value] of entries) {
    if (value !== undefined && value !== null && typeof value !== 'object') form.append(name, String(value))
  }
  for (const [name, value] of entries) {
    if (typeof value !== 'object' || value === null) continue
    if ('content' in value) form.append(name, value.content, value.name)
    else form.append(name, value)
  }
  return form
}
