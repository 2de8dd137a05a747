import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import { callerAddress } from './addresses.ts'

/** Requests within a minute, counted in this process; 0: no limit. */
export interface RateLimits {
  perAddress: number
  /** Messages that name the same `user_id`. */
  perUser: number
  /** Messages that name the same `session_id`. */
  perSession: number
}

/** Probes from outside that ask whether the service lives must get an answer however much a neighbour asks. */
const UNLIMITED_ROUTES = new Set(['/api/v1/health', '/metrics'])
/** Where customers speak: behind the shop's server all of them have one address. */
const MESSAGE_ROUTES = new Set(['/api/v1/chat', '/api/v1/chat/stream', '/api/v1/gateway'])
const ONE_MINUTE_MS = 60_000
/** Addresses, users and sessions remembered of each; those that have been quiet longest are forgotten first. */
const MAX_REMEMBERED = 20_000

/**
 * Answers 429 with `Retry-After` to an address, a customer or a session with more requests within a minute. Refused
 * keys and unknown paths count for their address too: they are what guessing looks like.
 */
export function limitRate(app: FastifyInstance, { perAddress, perUser, perSession }: RateLimits): void {
  if (perAddress + perUser + perSession === 0) return
  app.register(rateLimit, {
    // The plugin's own way hooks into each route, after the key was checked.
    global: false,
    max: perAddress,
    timeWindow: ONE_MINUTE_MS,
    cache: MAX_REMEMBERED,
    keyGenerator: callerAddress,
    allowList: ({ routeOptions }) => UNLIMITED_ROUTES.has(routeOptions.url ?? ''),
  })
  app.after(() => {
    if (perAddress > 0) app.addHook('onRequest', app.rateLimit())
    if (perUser > 0) limitMessages(app, 'user_id', perUser)
    if (perSession > 0) limitMessages(app, 'session_id', perSession)
  })
}

/** After validation, which knows what the body is. */
function limitMessages(app: FastifyInstance, field: 'user_id' | 'session_id', max: number): void {
  const nameOf = ({ body }: FastifyRequest): string => (body as Record<typeof field, string | undefined>)[field] ?? ''
  const count = app.createRateLimit({
    max,
    timeWindow: ONE_MINUTE_MS,
    keyGenerator: (request) => nameOf(request).trim(),
    allowList: (_request, key) => key === '',
  })
  app.addHook('preHandler', async (request) => {
    if (!MESSAGE_ROUTES.has(request.routeOptions.url ?? '')) return
    const counted = await count(request)
    if (counted.isAllowed || !counted.isExceeded) return
    const options = { retryAfterSeconds: counted.ttlInSeconds }
    throw new AppError('too_many', 'rate_limit', `${field}: too many messages within a minute`, options)
  })
}
