import { FrontdeskError } from './error.ts'
import { type Client, type ClientOptions, clientOf, type RawInput, type Route, sendOnce } from './plain-client.ts'
import { backOff, wait } from './wait.ts'

const LONGEST_RETRY_AFTER_S = 60

export function createClient(options: ClientOptions = {}): Client {
  return clientOf((route, input = {}) => sendPatiently(options, route, input))
}

async function sendPatiently(options: ClientOptions, route: Route, input: RawInput): Promise<Response> {
  const tries = route.startsWith('GET ') || input.idempotencyKey ? (options.retries ?? 2) : 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(options, route, input)
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
