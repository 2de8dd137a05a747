import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Agent, RequestInit } from 'undici'
import { AppError } from '../../kernel/errors.ts'

export interface OutboundOptions {
  /**
   * Names (or literal addresses), with a port or for every port, that may lead to private addresses, such as
   * `orders.internal` or `10.0.0.5:8080`. Compared with the name in the URL, before it is resolved.
   */
  readonly allowHosts?: readonly string[]
  /** For the whole exchange, redirects and body included, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  /** Of a decoded response body. Default 2 MiB. */
  readonly maxBytes?: number
  /** Default 3. */
  readonly maxRedirects?: number
  /** Resolves a name to all of its addresses; by default the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<LookupAddress[]>
}

export type Outbound = ReturnType<typeof createOutbound>

// Addresses in public ranges behind which cloud platforms keep services of the machine itself.
const platformAddresses = new Set(['168.63.129.16'])

/**
 * True for addresses of the public internet. Everything else is refused: private, loopback, link-local, shared (CGNAT),
 * multicast, reserved and documentation ranges (IANA special-purpose registries), and IPv6 outside 2000::/3 or with an
 * IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || platformAddresses.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return !(parsed instanceof ipaddr.IPv6) || (parsed.parts[0] ?? 0) >> 13 === 1
}

function refused(host: string, reason: string): AppError {
  return new AppError('unavailable', 'outbound_refused', `${host}: ${reason}`)
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function isAllowed(host: string, port: string, allowHosts: readonly string[]): boolean {
  return allowHosts.some((entry) => {
    const name = entry.toLowerCase()
    return name === host || name === `${host}:${port}` || name === `[${host}]:${port}`
  })
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}

/** Refuses what can be judged before a name is resolved: schemes, credentials and literal addresses. */
function checkUrl(url: URL, allowHosts: readonly string[]): void {
  const host = bareHost(url)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(host, `${url.protocol} is not allowed`)
  if (url.username !== '' || url.password !== '') throw refused(host, 'credentials in a URL are not allowed')
  if (isIP(host) !== 0 && !isPublicAddress(host) && !isAllowed(host, portOf(url), allowHosts)) {
    throw refused(host, 'the address is not public')
  }
}

function resolveAll(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })
}

/**
 * A resolver for the moment of connecting: the socket goes to an address that was just checked, so that a name cannot
 * be public when it is checked and private when it is used. One private address among several refuses the name.
 */
function checkedLookup(isTrusted: (hostname: string) => boolean, resolve: typeof resolveAll): LookupFunction {
  return (hostname, options, callback) => {
    const check = (addresses: LookupAddress[]) => {
      const [first] = addresses
      const isPublic = addresses.every(({ address }) => isPublicAddress(address))
      if (!first) callback(refused(hostname, 'the name has no address'), '')
      else if (!isPublic && !isTrusted(hostname)) callback(refused(hostname, 'the name has a private address'), '')
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    }
    resolve(hostname).then(check, (error) => callback(error, ''))
  }
}

function limited(body: ReadableStream<Uint8Array>, maxBytes: number, host: string): ReadableStream<Uint8Array> {
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= maxBytes) return controller.enqueue(chunk)
      controller.error(new AppError('unavailable', 'outbound_too_large', `${host}: the response is too large`))
    },
  })
  return body.pipeThrough(limit)
}

function asAppError(error: unknown, host: string): AppError {
  const cause = error instanceof Error && error.cause instanceof AppError ? error.cause : error
  if (cause instanceof AppError) return cause
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
  const [code, reason] = isTimeout
    ? ['outbound_timeout', 'no answer in time']
    : ['outbound_failed', 'cannot be reached']
  return new AppError('unavailable', code, `${host}: ${reason}`, { cause: error })
}

/** The next request of a redirect, or null where it is not followed and the response stands. */
function redirected(response: { status: number; headers: Headers }, url: URL, init: RequestInit) {
  const location = response.headers.get('location')
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null || init.redirect === 'manual')
    return null
  if (!URL.canParse(location, url.href)) throw refused(bareHost(url), 'redirects to a malformed URL')
  const next = new URL(location, url)
  const isSafe = ['GET', 'HEAD'].includes((init.method ?? 'GET').toUpperCase())
  const isSame = next.origin === url.origin
  // A request that changes something goes nowhere but where it was sent, and is never turned into a GET.
  if (!isSafe && !(isSame && response.status >= 307))
    throw refused(bareHost(url), 'redirects a request that changes data')
  if (url.protocol === 'https:' && next.protocol === 'http:') throw refused(bareHost(url), 'redirects to plain HTTP')
  // Headers may hold keys; they are meant for the first origin alone.
  const { headers: _, ...withoutHeaders } = init
  return { url: next, init: isSame ? init : { ...withoutHeaders, headers: { accept: 'application/json' } } }
}

/** For the first request: it takes some megabytes, and many a service never sends one. */
function loadUndici(): Promise<typeof import('undici')> {
  return import('undici')
}

/**
 * An HTTP client for addresses that come from configuration and from other systems' redirects. Every hop is checked;
 * proxies named in the environment are not used.
 */
export function createOutbound(options: OutboundOptions = {}) {
  const { allowHosts = [], timeoutMs = 10_000, maxBytes = 2 * 1024 * 1024, maxRedirects = 3 } = options
  const resolve = options.resolve ?? resolveAll
  const agents = new Map<boolean, Agent>()

  // A pooled connection must not serve both a host and port that may be private and one that may not.
  async function agentFor(url: URL): Promise<Agent> {
    const { Agent } = await loadUndici()
    const isTrusted = isAllowed(bareHost(url), portOf(url), allowHosts)
    const known = agents.get(isTrusted)
    if (known) return known
    const agent = new Agent({ connect: { lookup: checkedLookup(() => isTrusted, resolve), timeout: timeoutMs } })
    agents.set(isTrusted, agent)
    return agent
  }

  async function hop(url: URL, init: RequestInit): Promise<Response> {
    checkUrl(url, allowHosts)
    const { fetch } = await loadUndici()
    const response = await fetch(url, { ...init, redirect: 'manual', dispatcher: await agentFor(url) })
    // Undici's own classes have the shape of the global ones.
    return response as unknown as Response
  }

  async function followed(start: URL, init: RequestInit): Promise<Response> {
    let request = { url: start, init }
    for (let redirects = 0; ; redirects++) {
      const response = await hop(request.url, request.init)
      const next = redirected(response, request.url, request.init)
      if (!next) return response
      await response.body?.cancel()
      if (redirects >= maxRedirects) throw refused(bareHost(request.url), 'redirects too often')
      request = next
    }
  }

  /**
   * Like the global `fetch`, but rejects with `AppError` of kind `unavailable` and one of the codes `outbound_refused`,
   * `outbound_timeout`, `outbound_too_large` and `outbound_failed`. A body that is too large fails while it is read.
   */
  async function fetch(target: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(target)
    const host = bareHost(url)
    // No part of the time that the other side is given.
    await loadUndici()
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
    try {
      const response = await followed(url, { ...init, signal: AbortSignal.any(signals) })
      const body = response.body && limited(response.body, maxBytes, host)
      return new Response(body, { status: response.status, headers: response.headers })
    } catch (error) {
      throw asAppError(error, host)
    }
  }

  return {
    fetch,
    async close(): Promise<void> {
      await Promise.allSettled([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}
