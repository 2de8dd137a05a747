import { APICallError } from '@ai-sdk/provider'
import { retryAfterMsOf, withoutSecrets } from '../outbound.ts'
import type { ModelError, ModelErrorCode } from './port.ts'

const messages: Record<ModelErrorCode, string> = {
  aborted: 'The request was cancelled',
  circuit_open: 'The language model is unavailable for the moment',
  over_budget: 'The tokens allowed for the language model are used up',
  timeout: 'The language model did not answer in time',
  rate_limited: 'The language model is busy',
  unauthorized: 'The language model refused the credentials',
  rejected: 'The language model refused the request',
  unavailable: 'The language model is unavailable',
  connection: 'The language model could not be reached',
  bad_response: 'The language model sent an unreadable answer',
}

export function modelError(code: ModelErrorCode, detail = '', more: Partial<ModelError> = {}): ModelError {
  return { code, message: messages[code], detail, status: null, retryAfterMs: null, ...more }
}

/** The reason of our own aborts, so that a time limit can be told from a caller who left. */
export class TimeLimit extends Error {
  constructor(what: string, limitMs: number) {
    super(`${what}: more than ${limitMs} ms`)
    this.name = 'TimeoutError'
  }
}

/**
 * The meaning of a failed request. Keeps none of the foreign error itself: it carries the whole prompt, the URL and
 * headers, and neither customers' words nor keys may reach a log that way.
 */
export function toModelError(error: unknown, secrets: readonly (string | undefined)[], nowMs: number): ModelError {
  if (error instanceof TimeLimit) return modelError('timeout', error.message)
  if (isAbort(error)) return modelError('aborted')
  const detail = withoutSecrets(textOf(error), secrets)
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 400) {
    const { statusCode: status, responseHeaders = {} } = error
    const retryAfterMs = retryAfterMsOf((name) => responseHeaders[name], nowMs)
    return modelError(codeOfStatus(status), detail, { status, retryAfterMs })
  }
  return modelError(codeOfFault(error), detail)
}

/** Worth another try, while the customer has not seen anything yet. Not after a time limit: the wait was long enough. */
export function isRetryable({ code }: ModelError): boolean {
  return code === 'rate_limited' || code === 'unavailable' || code === 'connection' || code === 'bad_response'
}

/** Does this error show that the endpoint is down? A refused request shows that it is up. */
export function countsAgainstEndpoint({ code }: ModelError): boolean {
  return code !== 'aborted' && code !== 'circuit_open' && code !== 'rejected'
}

function codeOfStatus(status: number): ModelErrorCode {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 408) return 'timeout'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'unavailable' : 'rejected'
}

/** Errors without a status: a broken connection, an error event inside a stream, or an answer that is not the protocol. */
function codeOfFault(error: unknown): ModelErrorCode {
  const kind = `${fieldOf(error, 'type')} ${fieldOf(error, 'code')}`
  if (/rate_limit|too_many/.test(kind)) return 'rate_limited'
  if (/overloaded|server_error|api_error|unavailable/.test(kind)) return 'unavailable'
  return causesOf(error).some(isNetworkFault) ? 'connection' : 'bad_response'
}

function isNetworkFault(error: unknown): boolean {
  if (error instanceof TypeError && /fetch failed|terminated/.test(error.message)) return true
  return /^(E[A-Z]{3,}|UND_ERR_)/.test(fieldOf(error, 'code'))
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let cause = error; cause && chain.length < 5; cause = cause instanceof Error ? cause.cause : undefined) {
    chain.push(cause)
  }
  return chain
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function textOf(error: unknown): string {
  const message = error instanceof Error ? error.message : fieldOf(error, 'message')
  return message || (typeof error === 'string' ? error : 'unknown error')
}

function fieldOf(value: unknown, field: string): string {
  if (typeof value !== 'object' || value === null || !(field in value)) return ''
  const content = (value as Record<string, unknown>)[field]
  return typeof content === 'string' ? content : ''
}
