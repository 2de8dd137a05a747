import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * The address that a caller is counted and named by: of IPv6 the network that one subscriber has. Some proxies write the
 * port too, `1.2.3.4:5678` or `[::1]:99`, and every connection has another. A text that is no address says nothing, and
 * then the proxy's own stands for whoever is behind it.
 */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const given = withoutPort(ip)
  return normalizeIP(isIP(given) === 0 ? (socket.remoteAddress ?? given) : given)
}

function withoutPort(address: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*)$/.exec(address.trim()) ?? []
  return bracketed ?? dotted ?? address.trim()
}
