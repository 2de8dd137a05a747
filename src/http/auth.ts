import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../kernel/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `open` routes never check a credential; all others need the API key when one is set. */
    auth?: 'key' | 'open'
  }
}

/** Mark of a route that never checks a credential. */
export const open = { auth: 'open' } as const

/** Checks `X-API-Key` before anything of the request is parsed or validated. An empty key turns the check off. */
export function requireApiKey(app: FastifyInstance, apiKey: string): void {
  if (apiKey === '') return
  const expected = digest(Buffer.from(apiKey, 'utf8'))
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.auth === 'open') return done()
    const given = request.headers['x-api-key']
    // Node hands headers over as one character a byte, so that a key beyond ASCII must be compared as bytes.
    // Equal digests of equal length: the comparison takes as long for a near miss as for a far one.
    if (typeof given === 'string' && timingSafeEqual(digest(Buffer.from(given, 'latin1')), expected)) return done()
    throw new AppError('unauthorized', 'api_key', 'Invalid or missing API key')
  })
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
