import { AppError } from '../kernel/errors.ts'
import type { Breaker, Verdict } from '../platform/breaker.ts'
import { backoffMs, retryAfterMsOf, sleep, withoutSecrets } from './outbound.ts'

export interface Endpoint {
  /** For messages, such as `The embedding endpoint`. */
  name: string
  apiKey?: string
  breaker: Breaker
  fetch?: typeof globalThis.fetch
}

export interface PostOptions {
  /** One request, in milliseconds. */
  timeoutMs: number
  maxRetries: number
  signal?: AbortSignal | undefined
}

/** A failed request. `message` is public; `detail` is for the log and names no key. */
export class EndpointError extends AppError {
  /** Null when there was no answer. */
  readonly status: number | null
  readonly detail: string
  readonly retryAfterMs: number | null

  constructor(
    code: string,
    message: string,
    detail: string,
    status: number | null,
    retryAfterMs: number | null = null,
  ) {
    super('unavailable', code, message)
    this.status = status
    this.detail = detail
    this.retryAfterMs = retryAfterMs
  }
}

/** The endpoint understood the request and refuses it: repeating it is of no use. */
export function isRefusal(error: unknown): error is EndpointError {
  return error instanceof EndpointError && error.code === 'endpoint_refused'
}

const maxResponseBytes = 64 * 1024 * 1024
const maxRetryAfterMs = 10_000

/**
 * Posts JSON and reads JSON, with retries on network faults, 429 and 5xx; each request counts with the breaker.
 * @throws EndpointError, the breaker's `circuit_open` error, or the reason of `signal`.
 */
export async function postJson(endpoint: Endpoint, url: string, body: object, options: PostOptions): Promise<unknown> {
  const { maxRetries, signal } = options
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      const run = () => requestOnce(endpoint, url, body, options)
      return await endpoint.breaker.run(run, { judge: verdictOn, ...(signal ? { signal } : {}) })
    } catch (error) {
      signal?.throwIfAborted()
      const pauseMs = attempt < maxRetries ? retryPauseMs(error, attempt) : null
      if (pauseMs === null) throw error
      await sleep(pauseMs, signal)
    }
  }
}

function verdictOn(error: unknown): Verdict {
  return isRefusal(error) ? 'success' : 'failure'
}

const worthRetrying: ReadonlySet<string> = new Set([
  'endpoint_busy',
  'endpoint_down',
  'endpoint_timeout',
  'endpoint_unreachable',
  'endpoint_bad_response',
])

function retryPauseMs(error: unknown, attempt: number): number | null {
  if (!(error instanceof EndpointError) || !worthRetrying.has(error.code)) return null
  const { retryAfterMs } = error
  return (retryAfterMs ?? 0) > maxRetryAfterMs ? null : backoffMs(attempt, { retryAfterMs })
}

async function requestOnce(endpoint: Endpoint, url: string, body: object, options: PostOptions): Promise<unknown> {
  const { name, apiKey, fetch = globalThis.fetch } = endpoint
  const limit = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  const headers = { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) }
  try {
    // A redirect would carry the key and the customers' texts to a host that nobody configured.
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' } as const
    const response = await fetch(url, init)
    const text = await readText(response)
    if (!response.ok) throw refusal(endpoint, response, text)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof EndpointError) throw error
    if (limit.aborted) throw new EndpointError('endpoint_timeout', `${name} did not answer in time`, 'timeout', null)
    const detail = withoutSecrets(error instanceof Error ? `${error.message} ${codeOf(error.cause)}` : '', [apiKey])
    if (error instanceof SyntaxError) throw badResponse(name, 'no JSON')
    throw new EndpointError('endpoint_unreachable', `${name} could not be reached`, detail, null)
  }
}

export function badResponse(name: string, detail: string): EndpointError {
  return new EndpointError('endpoint_bad_response', `${name} sent an unreadable answer`, detail, null)
}

function refusal({ name, apiKey }: Endpoint, response: Response, text: string): EndpointError {
  const { status, headers } = response
  const detail = withoutSecrets(`${status} ${text}`, [apiKey])
  const retryAfterMs = retryAfterMsOf((header) => headers.get(header), Date.now())
  if (status === 401 || status === 403) {
    return new EndpointError('endpoint_unauthorized', `${name} refused the credentials`, detail, status)
  }
  if (status === 429) return new EndpointError('endpoint_busy', `${name} is busy`, detail, status, retryAfterMs)
  if (status >= 500 || status === 408) {
    return new EndpointError('endpoint_down', `${name} is unavailable`, detail, status, retryAfterMs)
  }
  return new EndpointError('endpoint_refused', `${name} refused the request`, detail, status)
}

/** Reads up to a limit, so that an endless answer costs a request and not the process. */
async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxResponseBytes) throw new Error('The answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
