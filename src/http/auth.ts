import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `open` routes never refuse for want of a credential; all others need the API key when one is set. */
    auth?: 'key' | 'open'
  }
  interface FastifyRequest {
    caller: Caller
  }
}

/** Who sends a request, as far as its credential tells. */
export interface Caller {
  /** The right key was sent, or none is set: nothing is withheld. False on open routes alone. */
  isTrusted: boolean
}

const TRUSTED: Caller = { isTrusted: true }
const UNKNOWN: Caller = { isTrusted: false }

/** Mark of a route that never checks a credential. */
export const open = { auth: 'open' } as const

/** Checks `X-API-Key` before anything of the request is parsed or validated. An empty key turns the check off. */
export function requireApiKey(app: FastifyInstance, apiKey: string): void {
  app.decorateRequest('caller', null as never)
  const expected = apiKey === '' ? null : digest(Buffer.from(apiKey, 'utf8'))
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = TRUSTED
    if (!expected) return done()
    const given = request.headers['x-api-key']
    // Node hands headers over as one character a byte, so that a key beyond ASCII must be compared as bytes.
    // Equal digests of equal length: the comparison takes as long for a near miss as for a far one.
    const isRight = typeof given === 'string' && timingSafeEqual(digest(Buffer.from(given, 'latin1')), expected)
    if (!isRight) request.caller = UNKNOWN
    if (isRight || request.routeOptions.config.auth === 'open') return done()
    throw refusal()
  })
}

/** For what an open route does only for those who have the key. Throws unauthorized (401). */
export function demandKey(request: Pick<FastifyRequest, 'caller'>): void {
  if (!request.caller.isTrusted) throw refusal()
}

function refusal(): AppError {
  return new AppError('unauthorized', 'api_key', 'Invalid or missing API key')
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
