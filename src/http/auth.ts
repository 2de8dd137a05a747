import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import { ALL_SCOPES, type Scope } from '../kernel/scopes.ts'
import { callerAddress } from './addresses.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `open` routes never refuse for want of a credential; all others need a key when one is set. */
    auth?: 'key' | 'open'
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
  /** Of the key that was sent; null: none was, or none is set. */
  name: string | null
  /** All that the caller may do, with everything that is implied. */
  scopes: ReadonlySet<Scope>
}

/** A key that was recognised. */
export interface KeyHolder extends Pick<Caller, 'scopes'> {
  keyId: string
  name: string
}

/** Where named keys are looked up beside `API_KEY`. */
export interface KeyRing {
  /** @param digest SHA-256 of the key that was sent */
  find(digest: Buffer): KeyHolder | null
}

export interface Credentials {
  /** Empty: none. */
  apiKey: string
  /** Named keys beside that one. */
  keys?: KeyRing | undefined
  /** Told of every key that was recognised, by its id. */
  onKeyUsed?: ((keyId: string) => void) | undefined
  /** Told of every wrong key, with the address that sent it; no key at all is none. */
  onWrongKey?: ((address: string) => void) | undefined
}

/** Name of the key that the setting holds. */
const API_KEY_NAME = 'API_KEY'
const ANYBODY: Caller = { isTrusted: true, name: null, scopes: ALL_SCOPES }
const UNKNOWN: Caller = { isTrusted: false, name: null, scopes: new Set() }

/** Mark of a route that never checks a credential. */
export const open = { auth: 'open' } as const

/** Checks `X-API-Key` before anything of the request is parsed or validated. Without any key there is no check. */
export function requireApiKey(app: FastifyInstance, credentials: Credentials): void {
  app.decorateRequest('caller', null as never)
  const recognise = recogniser(credentials)
  app.addHook('onRequest', (request, _reply, done) => {
    const given = request.headers['x-api-key']
    const holder = recognise?.(given) ?? null
    request.caller = recognise ? callerOf(holder, request) : ANYBODY
    if (recognise && given && !holder) credentials.onWrongKey?.(callerAddress(request))
    if (request.routeOptions.config.auth !== 'open') demandKey(request)
    done()
  })
}

type Recognise = (given: string | string[] | undefined) => KeyHolder | null

/** Null: no key is set. */
function recogniser({ apiKey, keys, onKeyUsed }: Credentials): Recognise | null {
  if (apiKey === '' && !keys) return null
  const expected = apiKey === '' ? null : hash('sha256', apiKey, 'buffer')
  const owner: KeyHolder = { keyId: API_KEY_NAME, name: API_KEY_NAME, scopes: ALL_SCOPES }
  const find = (given: string): KeyHolder | null => {
    // Node hands headers over as one character a byte, so that a key beyond ASCII must be compared as bytes.
    const sent = hash('sha256', Buffer.from(given, 'latin1'), 'buffer')
    // Equal digests of equal length: the comparison takes as long for a near miss as for a far one.
    if (expected && timingSafeEqual(sent, expected)) return owner
    return keys?.find(sent) ?? null
  }
  return (given) => {
    const holder = typeof given === 'string' ? find(given) : null
    if (holder) onKeyUsed?.(holder.keyId)
    return holder
  }
}

function callerOf(holder: KeyHolder | null, { routeOptions }: FastifyRequest): Caller {
  if (!holder) return UNKNOWN
  const needed = routeOptions.config.scopes ?? ['admin']
  const { name, scopes } = holder
  return { name, scopes, isTrusted: needed.some((scope) => scopes.has(scope)) }
}

/**
 * For what an open route does only for those who have the key. Throws unauthorized (401), or forbidden (403) when the
 * key has none of the route's scopes.
 */
export function demandKey({ caller, routeOptions }: Pick<FastifyRequest, 'caller' | 'routeOptions'>): void {
  if (caller.isTrusted) return
  if (caller.name === null) throw new AppError('unauthorized', 'api_key', 'Invalid or missing API key')
  const [needed = 'admin'] = routeOptions.config.scopes ?? []
  throw new AppError('forbidden', 'key_scope', `This API key lacks the scope ${needed}`)
}

/** Whether the caller may do what the scope stands for; true where no key is set. */
export function canDo({ caller }: Pick<FastifyRequest, 'caller'>, scope: Scope): boolean {
  return caller.scopes.has(scope)
}
