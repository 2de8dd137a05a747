import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import type { KeyHolder, LoggedIn, Person } from '../kernel/people.ts'
import { ALL_SCOPES, type Scope } from '../kernel/scopes.ts'
import { callerAddress } from './addresses.ts'
import { assertOwnOrigin } from './own-origin.ts'
import { readSessionToken } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `open` routes never refuse for want of a credential; all others need one when a key is set. `anybody`: whatever the
     * credential may do. `token`: keys and log-ins do not count, the route asks for a token of its own.
     */
    auth?: 'key' | 'open' | 'anybody' | 'token'
    /** The key may come as `Authorization: Bearer`, which is all that some programs can send. */
    takesBearer?: true
  }
  interface FastifyRequest {
    caller: Caller
  }
}

/** Who sends a request, as far as its credential tells. */
export interface Caller {
  /**
   * A key that may use this route was sent, or none is set: nothing is withheld. False on open routes alone, also for
   * a key that lacks their scope.
   */
  isTrusted: boolean
  /** Of the person or the key; null: neither was sent, or no key is set. */
  name: string | null
  /** The one who is logged in; null: a key, or nobody. */
  person: Person | null
  /** By cookie, with which browsers are let in; a key in a header is none. */
  isLoggedIn: boolean
  /** All that the caller may do, with everything that is implied. */
  scopes: ReadonlySet<Scope>
}

/** Where named keys are looked up beside `API_KEY`. */
export interface KeyRing {
  /** @param digest SHA-256 of the key that was sent */
  find(digest: Buffer): KeyHolder | null
}

/** Where the cookies of those who are logged in are looked up. */
export interface LogIns {
  /** Null: it is nobody's, or no longer. */
  find(token: string): Promise<LoggedIn | null>
}

export interface Credentials {
  /** Empty: none. */
  apiKey: string
  /** Named keys beside that one. */
  keys?: KeyRing | undefined
  /** Told of every key that was recognised, by its id. */
  onKeyUsed?: ((keyId: string) => void) | undefined
  logIns?: LogIns | undefined
  /** Names of this service, for browsers that show another one; `*.example.com` for all below one. */
  allowedHosts?: readonly string[] | undefined
  /** Told of every wrong key, with the address that sent it; no key at all is none. */
  onWrongKey?: ((address: string) => void) | undefined
}

/** Name of the key that the setting holds. */
const API_KEY_NAME = 'API_KEY'
const NOBODY = { name: null, person: null, isLoggedIn: false } as const
const ANYBODY: Caller = { ...NOBODY, isTrusted: true, scopes: ALL_SCOPES }
const UNKNOWN: Caller = { ...NOBODY, isTrusted: false, scopes: new Set() }

/** Mark of a route that never checks a credential. */
export const open = { auth: 'open' } as const

/** Mark of a route that any credential opens, whatever it may do. */
export const anybody = { auth: 'anybody' } as const

/**
 * Checks who sends a request before anything of it is parsed or validated: by `X-API-Key`, else by the cookie of a log-in.
 * Without any key there is no check.
 */
export function requireApiKey(app: FastifyInstance, credentials: Credentials): void {
  app.decorateRequest('caller', null as never)
  const recognise = recogniser(credentials)
  const { logIns, allowedHosts = [], onWrongKey } = credentials
  app.addHook('onRequest', (request, _reply, done) => {
    const given = request.headers['x-api-key'] ?? bearerOf(request)
    const holder = recognise?.(given) ?? null
    request.caller = recognise ? callerOf(holder && { ...holder, person: null }, request, false) : ANYBODY
    if (recognise && given && !holder) onWrongKey?.(callerAddress(request))
    const token = recognise && logIns && given === undefined ? readSessionToken(request.headers.cookie) : null
    if (token === null || !logIns) {
      demandCredential(request)
      return done()
    }
    const enter = async (): Promise<void> => {
      const found = await logIns.find(token)
      if (found) assertOwnOrigin(request, allowedHosts)
      request.caller = callerOf(found, request, found !== null)
      demandCredential(request)
    }
    enter().then(() => done(), done)
  })
}

function bearerOf({ headers, routeOptions }: FastifyRequest): string | undefined {
  if (!routeOptions.config.takesBearer) return undefined
  return /^Bearer +(.*\S) *$/i.exec(headers.authorization ?? '')?.[1]
}

function demandCredential(request: FastifyRequest): void {
  if (asksForKey(request.routeOptions.config.auth)) demandKey(request)
}

/** Whether a route is for those who have a key or are logged in. */
export function asksForKey(auth: FastifyContextConfig['auth']): boolean {
  return auth !== 'open' && auth !== 'token'
}

/** Who has the key of a SHA-256 digest: the owner of `API_KEY`, or of a named key; null: nobody. */
export function keyFinder({
  apiKey,
  keys,
}: Pick<Credentials, 'apiKey' | 'keys'>): (digest: Buffer) => KeyHolder | null {
  const expected = apiKey === '' ? null : hash('sha256', apiKey, 'buffer')
  const owner: KeyHolder = { keyId: API_KEY_NAME, name: API_KEY_NAME, scopes: ALL_SCOPES }
  // Equal digests of equal length: the comparison takes as long for a near miss as for a far one.
  return (digest) => (expected && timingSafeEqual(digest, expected) ? owner : (keys?.find(digest) ?? null))
}

type Recognise = (given: string | string[] | undefined) => KeyHolder | null

/** Null: no key is set. */
function recogniser({ apiKey, keys, onKeyUsed }: Credentials): Recognise | null {
  if (apiKey === '' && !keys) return null
  const find = keyFinder({ apiKey, keys })
  return (given) => {
    // Node hands headers over as one character a byte, so that a key beyond ASCII must be compared as bytes.
    const holder = typeof given === 'string' ? find(hash('sha256', Buffer.from(given, 'latin1'), 'buffer')) : null
    if (holder) onKeyUsed?.(holder.keyId)
    return holder
  }
}

function callerOf(holder: LoggedIn | null, { routeOptions }: FastifyRequest, isLoggedIn: boolean): Caller {
  if (!holder) return UNKNOWN
  const { auth, scopes: needed = ['admin'] } = routeOptions.config
  const { name, person, scopes } = holder
  return {
    name,
    person,
    scopes,
    isLoggedIn,
    isTrusted: auth === 'anybody' || needed.some((scope) => scopes.has(scope)),
  }
}

/**
 * For what an open route does only for those who have the key. Throws unauthorized (401), or forbidden (403) when the
 * key has none of the route's scopes.
 */
export function demandKey({ caller, routeOptions }: Pick<FastifyRequest, 'caller' | 'routeOptions'>): void {
  if (caller.isTrusted) return
  if (caller.name === null) throw new AppError('unauthorized', 'api_key', 'Invalid or missing API key')
  const [needed = 'admin'] = routeOptions.config.scopes ?? []
  if (caller.person) throw new AppError('forbidden', 'role', `The role ${caller.person.role} lacks the scope ${needed}`)
  throw new AppError('forbidden', 'key_scope', `This API key lacks the scope ${needed}`)
}

/** Whether the caller may do what the scope stands for; true where no key is set. */
export function canDo({ caller }: Pick<FastifyRequest, 'caller'>, scope: Scope): boolean {
  return caller.scopes.has(scope)
}
