import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

const API_CSP = { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false }
/** Whether a connection is encrypted is for the proxy in front to say. */
const BEHIND_A_PROXY = { strictTransportSecurity: false }
/** These headers forbid what only documents could do: a page has them (`pageHeaders`), JSON need not. */
const WITHOUT_THOSE_OF_DOCUMENTS = {
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
}

/**
 * Sets the security headers of every response: nothing that the API answers may run, load or be framed. They are the
 * same for all, so the library is asked for them once and not, as its plugin does, with every request.
 */
export function setSecurityHeaders(app: FastifyInstance): void {
  const headers = headersOf({ contentSecurityPolicy: API_CSP, ...BEHIND_A_PROXY, ...WITHOUT_THOSE_OF_DOCUMENTS })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Of a page that a browser shows, with its own policy. */
export function pageHeaders(contentSecurityPolicy: string): Record<string, string> {
  return {
    ...headersOf({ contentSecurityPolicy: false, ...BEHIND_A_PROXY }),
    'content-security-policy': contentSecurityPolicy,
  }
}

function headersOf(options: Parameters<typeof helmet>[0]): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(options)(response.req, response, (error) => {
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
