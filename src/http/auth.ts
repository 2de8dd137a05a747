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
  const expected = digest(apiKey)
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.auth === 'open' || request.is404) return
    const given = request.headers['x-api-key']
    // Equal digests of equal length: the comparison takes as long for a near miss as for a far one.
    if (typeof given === 'string' && timingSafeEqual(digest(given), expected)) return
    throw new AppError('unauthorized', 'api_key', 'Invalid or missing API key')
  })
}

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}
