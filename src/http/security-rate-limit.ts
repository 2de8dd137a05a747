import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'

/** What asks from outside whether the service lives must get an answer however much a neighbour asks. */
const UNLIMITED_ROUTES = new Set(['/api/v1/health', '/metrics'])
const ONE_MINUTE_MS = 60_000
/** Addresses remembered; those that have been quiet longest are forgotten first. */
const MAX_ADDRESSES = 20_000

/**
 * Answers 429 with `Retry-After` to an address that made more requests within a minute, counted in this process.
 * Refused keys and unknown paths count too: they are what guessing looks like. IPv6 addresses of one /64 are one.
 *
 * @param requestsPerMinute 0: no limit.
 */
export function limitRate(app: FastifyInstance, requestsPerMinute: number): void {
  if (requestsPerMinute === 0) return
  app.register(rateLimit, {
    // The plugin's own way hooks into each route, after the key was checked.
    global: false,
    max: requestsPerMinute,
    timeWindow: ONE_MINUTE_MS,
    cache: MAX_ADDRESSES,
    allowList: ({ routeOptions }) => UNLIMITED_ROUTES.has(routeOptions.url ?? ''),
  })
  app.after(() => void app.addHook('onRequest', app.rateLimit()))
}
