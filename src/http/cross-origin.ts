import type { FastifyInstance } from 'fastify'
import { AppError } from '../kernel/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages of other origins may ask, and read the answer, where their origin is listed. */
    isCrossOrigin?: true
  }
}

const ALLOWED_METHODS = 'GET, POST'
const ALLOWED_HEADERS = 'authorization, content-type, idempotency-key, last-event-id'
const SHOWN_HEADERS = 'retry-after, x-request-id'
/** Browsers ask again after two hours at most, whatever is said. */
const PREFLIGHT_SECONDS = 7_200

/**
 * Lets pages of listed origins ask routes that are marked, without cookies, and refuses pages of others; call it before
 * other hooks that refuse, so that a page can read why.
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function allowOrigins(app: FastifyInstance, isListed: (origin: string) => boolean): void {
  app.addHook('onRequest', ({ headers: { origin }, routeOptions }, reply, done) => {
    if (routeOptions.config.isCrossOrigin !== true) return done()
    reply.header('vary', 'origin')
    if (origin === undefined) return done()
    if (!isListed(origin)) {
      throw new AppError('forbidden', 'origin', 'Origin: is not among the allowed origins of a widget')
    }
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', SHOWN_HEADERS)
    done()
  })
}

/** Answers what browsers ask before a request of another origin, below a path. */
export function answerPreflights(app: FastifyInstance, path: string): void {
  app.options(
    `${path}/*`,
    { config: { auth: 'open', isPublic: true, isCrossOrigin: true }, schema: { hide: true } },
    ({ headers: { origin } }, reply) => {
      // Of other programs it is a method that no path knows.
      if (origin === undefined) return void reply.callNotFound()
      reply
        .code(204)
        .header('access-control-allow-methods', ALLOWED_METHODS)
        .header('access-control-allow-headers', ALLOWED_HEADERS)
        .header('access-control-max-age', PREFLIGHT_SECONDS)
        .send()
    },
  )
}
