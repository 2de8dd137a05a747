import { effect, signal } from '@preact/signals'
import { createClient, FrontdeskError } from '../../clients/typescript/src/index.ts'

export { FrontdeskError }

/** Whether the last request reached the service. */
export const isReachable = signal(true)
/** While the service cannot be reached it is asked now and then, so that everything goes on by itself. */
const PROBE_MS = 3_000
effect(() => {
  if (isReachable.value) return
  const timer = setInterval(() => void watched('/api/v1/console/session').catch(() => {}), PROBE_MS)
  return () => clearInterval(timer)
})
addEventListener('offline', () => {
  isReachable.value = false
})
// The browser may be wrong about the way to the service: it is asked at once, and again until it answers.
addEventListener('online', () => void watched('/api/v1/console/session').catch(() => {}))
/** The log-in has ended while somebody worked: they log in again where they are. */
export const hasEnded = signal(false)
/** Called when the service no longer knows the log-in. */
export const onLoggedOut: { call: () => void } = { call: () => {} }

/** The service that showed this page, asked with the browser's cookie. */
export const desk = createClient({ fetch: watched })

async function watched(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init)
    isReachable.value = true
    if (response.status === 401 && !hasEnded.value && !String(input).endsWith('/console/session')) onLoggedOut.call()
    return response
  } catch (error) {
    if (!init?.signal?.aborted) isReachable.value = false
    throw error
  }
}

/** Whether a failure is only that nobody wants the answer any more. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
