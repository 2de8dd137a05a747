import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import { hostnameOf, isLoopbackName } from '../kernel/hosts.ts'
import { matchesName } from './own-origin.ts'

export interface Perimeter {
  /** Whether no key is set at all. */
  isKeyless: boolean
  /** Whether only programs of this machine can connect. */
  isLoopback: boolean
  /** Names that this service answers to beside those of loopback; `*.example.com` for all below one. */
  allowedHosts: readonly string[]
}

/** Asked by platforms, which sign what they send, and by monitoring, each through whatever proxy there is. */
const ANY_HOST = /^(?:\/api\/v1\/gateway\/.+|\/metrics)$/
/** Probes come by address; where only this machine can connect there is no other address. */
const PROBE = '/api/v1/health'

/**
 * Keeps web pages from using a service that asks no key: browsers carry requests of any page to any address, also to
 * loopback, and a page whose name was made to lead here (DNS rebinding) may even read the answers. Browsers say which
 * name they asked for and whose page asks; clients that are no browsers see no difference.
 */
export function refuseForeignPages(app: FastifyInstance, perimeter: Perimeter): void {
  const { isKeyless, isLoopback, allowedHosts } = perimeter
  const isStrict = isKeyless && isLoopback
  const entries = allowedHosts.map((entry) => hostnameOf(entry) ?? entry.toLowerCase())
  const matchesEntry = (name: string): boolean => entries.some((entry) => matchesName(name, entry))
  const isListed = judgeNames(matchesEntry)
  const isOurs = judgeNames((name) => isLoopbackName(name) || matchesEntry(name))
  // A caller who knows a key is no page that only borrows somebody's browser.
  const borrowsBrowser = (request: FastifyRequest): boolean =>
    request.caller.name === null && (isStrict ? isForeign(request, isOurs) : isForeignWrite(request, isListed))
  const checksHosts = isStrict || allowedHosts.length > 0
  app.addHook('onRequest', (request, _reply, done) => {
    const { url = '', config } = request.routeOptions
    // Pages of other hosts are whom it is for, if their origins are listed; the route judges them.
    if (config.isCrossOrigin) return done()
    const isExempt = ANY_HOST.test(url) || (url === PROBE && !isStrict)
    if (checksHosts && !isExempt) demandKnownHost(request, isOurs, isKeyless)
    if (borrowsBrowser(request)) {
      const why = 'pages of other hosts cannot use this service without an API key'
      throw new AppError('forbidden', 'foreign_page', `${request.headers.origin ? 'Origin' : 'Sec-Fetch-Site'}: ${why}`)
    }
    done()
  })
}

type Knows = (authority: string) => boolean

/** Names that were judged before are remembered: a service is asked by the same few. */
const REMEMBERED = 100

/** A judgement of the names in `Host` headers and origins; of none it is false. */
function judgeNames(isKnown: (name: string) => boolean): Knows {
  const seen = new Map<string, boolean>()
  return (authority) => {
    const name = seen.has(authority) ? null : hostnameOf(authority)
    const known = seen.get(authority) ?? (name !== null && isKnown(name))
    if (seen.size >= REMEMBERED) seen.clear()
    seen.set(authority, known)
    return known
  }
}

/** HTTP/1.0 knows no such header, and browsers no HTTP/1.0. */
function demandKnownHost({ headers: { host } }: FastifyRequest, isOurs: Knows, isKeyless: boolean): void {
  if (host === undefined || isOurs(host)) return
  const remedy = isKeyless ? 'Set API_KEY, or name it in ALLOWED_HOSTS' : 'ALLOWED_HOSTS does not name it'
  throw new AppError('forbidden', 'host', `Host: this service does not answer to that name. ${remedy}`)
}

/** Where only this machine can connect: whatever a page of another host asks for. */
function isForeign({ method, headers }: FastifyRequest, isOurs: Knows): boolean {
  const site = headers['sec-fetch-site'] ?? 'none'
  const isFollowedLink =
    (method === 'GET' || method === 'HEAD') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    (headers['sec-fetch-dest'] ?? 'document') === 'document'
  if (isFollowedLink) return false
  return !['same-origin', 'same-site', 'none'].includes(String(site)) || !isOwn(headers.origin, isOurs)
}

/** Where others connect on purpose: what a page of another host would change. Answers are not shown to it. */
function isForeignWrite({ method, headers, host }: FastifyRequest, isListed: Knows): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const { origin, 'sec-fetch-site': site } = headers
  // The browser's own word, which no page can change, also where a proxy has put another Host.
  if (site === 'same-origin' || site === 'none') return false
  if (origin === undefined) return site === 'cross-site'
  const isAsked = (authority: string): boolean =>
    [host, headers.host].some((each) => each !== undefined && sameName(each, authority))
  return !isOwn(origin, (authority) => isAsked(authority) || isListed(authority))
}

function sameName(one: string, other: string): boolean {
  const name = hostnameOf(one)
  return name !== null && name === hostnameOf(other)
}

/** `null`, the origin of pages without one (files, sandboxes), is nobody's own. */
function isOwn(origin: string | undefined, knows: Knows): boolean {
  if (origin === undefined) return true
  const [, authority] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? []
  return authority !== undefined && knows(authority)
}
