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
 * Calls each of `begins` when a request arrives, and what they returned once its response has ended, also when the
 * client left. Register it before the routes.
 */
export function watchRequests(
  app: FastifyInstance,
  ...begins: readonly ((request: WatchedRequest) => (status: number) => void)[]
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url = 'unknown', config } = request.routeOptions
    const watched = { method: request.method, route: url, isOpen: config.auth === 'open' }
    const ends = begins.map((begin) => begin(watched))
    // Not `onResponse`: nobody calls it for a stream whose client left.
    reply.raw.once('close', () => {
      const status = statusOf(reply)
      for (const end of ends) end(status)
    })
    done()
  })
}

function statusOf({ raw }: FastifyReply): number {
  return raw.writableEnded ? raw.statusCode : CLIENT_LEFT
}
