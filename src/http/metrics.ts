import type { FastifyInstance, FastifyReply } from 'fastify'

export interface WatchedRequest {
  method: string
  /** The pattern that matched, such as `/api/v1/knowledge/documents/:doc_id`; `unknown` for none. */
  route: string
  /** Of a group that checks no credential: probes and monitoring, not the service's own work. */
  isOpen: boolean
}

/** Status of a response that the client did not wait for; nginx's, for want of one in HTTP. */
const CLIENT_LEFT = 499

/**
 * Calls `begin` when a request arrives, and what that returned once its response has ended, also when the client left.
 * Register it before the routes.
 */
export function watchRequests(
  app: FastifyInstance,
  begin: (request: WatchedRequest) => (status: number) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url = 'unknown', config } = request.routeOptions
    const end = begin({ method: request.method, route: url, isOpen: config.auth === 'open' })
    // Not `onResponse`: nobody calls it for a stream whose client left.
    reply.raw.once('close', () => end(statusOf(reply)))
    done()
  })
}

function statusOf({ raw }: FastifyReply): number {
  return raw.writableEnded ? raw.statusCode : CLIENT_LEFT
}
