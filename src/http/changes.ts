import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { NotedChange, RecordedChange } from '../kernel/changes.ts'
import { callerAddress } from './addresses.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `false`: the route only reads, or what it writes is nothing that an audit would ask for (typing, read marks). */
    isChange?: boolean
  }
  interface FastifyRequest {
    change: NotedChange | null
  }
}

/**
 * Hands every change that is made by log-in to `store`, before it is acknowledged: nobody is told of a change that the
 * audit log does not know.
 */
export function recordChanges(app: FastifyInstance, store: (change: RecordedChange) => Promise<void>): void {
  app.decorateRequest('change', null)
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isChange(request, reply.statusCode)) return done(null, payload)
    store(changeOf(request)).then(() => done(null, payload), done)
  })
}

/** Says what the change was, where a route knows more than the request tells. */
export function noteChange(request: FastifyRequest, change: NotedChange): void {
  request.change = { ...request.change, ...change }
}

function isChange({ caller, method, routeOptions }: FastifyRequest, status: number): boolean {
  // Of a request that was refused before anybody asked who sends it there is no caller.
  if (!caller?.isLoggedIn || status >= 400 || method === 'GET' || method === 'HEAD') return false
  return routeOptions.config.isChange !== false
}

function changeOf(request: FastifyRequest): RecordedChange {
  const { caller, change, params, body, method, routeOptions, id } = request
  return {
    actor: caller.name ?? '',
    isPerson: caller.person !== null,
    action: `${method} ${routeOptions.url ?? ''}`,
    parameters: { ...(params as Record<string, string>) },
    body: request.isMultipart?.() ? null : (body ?? null),
    address: callerAddress(request),
    requestId: id,
    ...change,
  }
}
