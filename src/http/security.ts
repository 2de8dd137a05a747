import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

const API_CSP = { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false }

/** Sets the security headers of every response: nothing that the API answers may run, load or be framed. */
export function setSecurityHeaders(app: FastifyInstance): void {
  app.register(helmet, { contentSecurityPolicy: API_CSP, hsts: false })
}

/** For responses that no hook sees: requests that could not be parsed or routed. */
export const BARE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
}
