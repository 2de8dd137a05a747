import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../kernel/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Customers and channels may reach the route from the internet; all others are not there on the public listener. */
    isPublic?: true
  }
  interface FastifyInstance {
    /** The second listener, for the internet; null: there is none. */
    publicServer: Server | null
  }
}

const cameInPublic = new WeakSet<IncomingMessage>()

/** A second server of the same program, whose requests are known by it. @param options null: there is none */
export function openPublicListener(app: FastifyInstance, options: ServerOptions | null): Server[] {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    cameInPublic.add(request)
    app.routing(request, response)
  }
  const server = options && createServer(options, answer)
  app.decorate('publicServer', server)
  return server ? [server] : []
}

/**
 * Refuses every route but public ones on that server, as if they were not there. The router has found the route by then:
 * a path that is written in another way leads to the same judgement.
 */
export function showPublicAlone(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, routeOptions, is404 }, _reply, done) => {
    if (cameInPublic.has(raw) && (is404 || routeOptions.config.isPublic !== true)) {
      throw new AppError('not_found', 'route', 'Not found')
    }
    done()
  })
}
