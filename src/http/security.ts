import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

const API_CSP = { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false }

/**
 * Sets the security headers of every response: nothing that the API answers may run, load or be framed. They are the
 * same for all, so the library is asked for them once and not, as its plugin does, with every request.
 */
export function setSecurityHeaders(app: FastifyInstance): void {
  const headers = securityHeaders()
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

function securityHeaders(): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet({ contentSecurityPolicy: API_CSP, hsts: false })(response.req, response, (error) => {
    if (error) throw error
  })
  return response.getHeaders() as Record<string, string>
}

/** For responses that no hook sees: requests that could not be parsed or routed. */
export const BARE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
}
