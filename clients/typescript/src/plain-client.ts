import { errorOf } from './error.ts'
import type { Routes } from './generated/routes.ts'

export interface ClientOptions {
  /** Where the service is, e.g. `https://desk.example`; empty in a page that the service itself serves. */
  baseUrl?: string
  /** Sent as `X-API-Key`. Keep it out of pages: a browser logs in, and its cookie is sent by itself. */
  apiKey?: string
  /** Sent as `Authorization: Bearer`: the token of a widget's session. */
  token?: string | (() => string)
  /** Whether cookies are sent, as in `fetch`. */
  credentials?: 'omit' | 'same-origin' | 'include'
  /** How often a request is tried again that changes nothing, or that has an idempotency key; 2 by default. */
  retries?: number
  fetch?: typeof globalThis.fetch
}

/** Said beside what a route takes. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Makes a POST safe to repeat: the first answer is given again, and so it is tried again as well. */
  idempotencyKey?: string | undefined
  headers?: Record<string, string> | undefined
}

export interface RawInput extends CallOptions {
  path?: Record<string, string | number>
  query?: object
  body?: unknown
  form?: object
}

export type Route = keyof Routes
/** Routes with a field of this kind: `result`, `events` or `file`. */
export type RouteWith<K extends string> = { [R in Route]: Routes[R] extends Record<K, unknown> ? R : never }[Route]
/** Parts of a route that its caller gives, with the options of the call. */
export type Input<R extends Route> = Pick<Routes[R], Extract<keyof Routes[R], 'path' | 'query' | 'body' | 'form'>> &
  CallOptions
/** The input may be left out where nothing of it is required. */
export type Arguments<R extends Route> = Record<never, never> extends Input<R> ? [input?: Input<R>] : [input: Input<R>]
export type Result<R extends Route> = Routes[R] extends { result: infer T } ? T : never

export interface Client {
  /** Calls a route by its method and path. */
  request<R extends RouteWith<'result'>>(route: R, ...args: Arguments<R>): Promise<Result<R>>
  /** The response of a success, for what reads it otherwise. Anything else is thrown as a `FrontdeskError`. */
  send(route: Route, input?: RawInput): Promise<Response>
}

/**
 * Asks once, and takes paths and forms as they are: whoever waits and tries again does that by themselves. As little as a
 * page of somebody else should load.
 */
export function createPlainClient(options: ClientOptions = {}): Client {
  return clientOf((route, input) => sendOnce(options, route, input))
}

export function clientOf(send: Client['send']): Client {
  return {
    send,
    async request<R extends RouteWith<'result'>>(route: R, ...[input]: Arguments<R>): Promise<Result<R>> {
      return (await read(await send(route, input as RawInput))) as Result<R>
    },
  }
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
}

/** Throws whatever is no success. @param route with all parts of its path */
export async function sendOnce(options: ClientOptions, route: string, input: RawInput = {}): Promise<Response> {
  const { url, init } = toRequest(options, route, input)
  const { fetch = globalThis.fetch } = options
  const response = await fetch(url, init)
  if (!response.ok) throw await errorOf(response)
  return response
}

function toRequest({ baseUrl = '', ...options }: ClientOptions, route: string, input: RawInput) {
  const [method = '', path = ''] = route.split(' ')
  const { token, credentials } = options
  const headers: Record<string, string> = { ...input.headers }
  if (token) headers.authorization = `Bearer ${typeof token === 'function' ? token() : token}`
  if (input.idempotencyKey) headers['idempotency-key'] = input.idempotencyKey
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  const init = {
    method,
    headers,
    // Another host would be sent what opens this one.
    redirect: token || headers['x-api-key'] ? ('error' as const) : ('follow' as const),
    ...(credentials && { credentials }),
    signal: input.signal ?? null,
    body: input.body === undefined ? ((input.form as FormData | undefined) ?? null) : JSON.stringify(input.body),
  }
  return { url: baseUrl.replace(/\/+$/, '') + path + toQuery(input.query ?? {}), init }
}

function toQuery(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) if (each !== undefined && each !== null) search.append(name, String(each))
  }
  return search.size === 0 ? '' : `?${search}`
}
