import type { FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import { hostnameOf } from '../kernel/hosts.ts'

/**
 * Changes by cookie must be asked for by a page of our own: cookies go with whatever a page of the same name on
 * another port sends. Browsers name the page in `Origin`, and over plain http beyond loopback nowhere else.
 * Throws forbidden.
 */
export function assertOwnOrigin(request: FastifyRequest, allowedHosts: readonly string[]): void {
  const { method, headers } = request
  if (method === 'GET' || method === 'HEAD' || headers['sec-fetch-site'] === 'same-origin') return
  const [, authority] = /^https?:\/\/([^/]+)$/i.exec(headers.origin ?? '') ?? []
  const isAsked = [request.host, headers.host].some((host) => host?.toLowerCase() === authority?.toLowerCase())
  if (authority !== undefined && (isAsked || isListed(authority, allowedHosts))) return
  const why = 'a change by log-in must come from a page of this service; programs send X-API-Key'
  throw new AppError('forbidden', 'foreign_page', `Origin: ${why}`)
}

/** Whether a list of names has the name of an address; `*.example.com` stands for all below one. */
function isListed(authority: string, entries: readonly string[]): boolean {
  const name = hostnameOf(authority)
  return name !== null && entries.some((entry) => matchesName(name, hostnameOf(entry) ?? entry.toLowerCase()))
}

export function matchesName(name: string, entry: string): boolean {
  return entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry
}
