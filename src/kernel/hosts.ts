import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The name or address in a `Host` header or an origin (`host` or `host:port`) as a browser understands it: lower case,
 * without the port, a final dot or brackets, and with an address in its usual form, however it was written (`0x7f.1`,
 * `2130706433`). Null when it is none.
 */
export function hostnameOf(authority: string): string | null {
  // More than this a URL would take for a user, a path or a query.
  if (!/^(?:[^\s/\\?#@:[\]]+|\[[\da-f:.]+\])(?::\d*)?$/i.test(authority)) return null
  if (!URL.canParse(`http://${authority}`)) return null
  return bare(new URL(`http://${authority}`).hostname)
}

/** Whether a name, as `hostnameOf` gives it, leads to this machine and can lead nowhere else. */
export function isLoopbackName(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return isIP(hostname) !== 0 && ipaddr.process(hostname).range() === 'loopback'
}

/** Whether a server that listens on `host`, a name or an address, can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return isLoopbackName(bare(host.toLowerCase()))
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
