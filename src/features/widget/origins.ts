/** An origin as browsers send it, or with `*.` for every name below one; the scheme and the port are part of it. */
const ORIGIN = /^(https?):\/\/(\*\.)?([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?\/?$/
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** The origin as browsers write it, international names in ASCII; null: it is none. */
export function normaliseOrigin(given: string): string | null {
  const text = given.trim().toLowerCase()
  const isBelow = /^https?:\/\/\*\./.test(text)
  const url = URL.parse(isBelow ? text.replace('*.', '') : text)
  if (url?.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') return null
  const origin = isBelow ? url.origin.replace('://', '://*.') : url.origin
  const [, , below, host = ''] = ORIGIN.exec(origin) ?? []
  // Of every name below a top-level domain anybody can buy one.
  return host === '' || (below !== undefined && !host.includes('.')) ? null : origin
}

/** Whether a browser's `Origin` is one of those listed, which are normalised. */
export function matchesOrigin(origin: string, listed: readonly string[]): boolean {
  if (listed.includes(origin)) return true
  const given = partsOf(origin)
  return given !== null && listed.some((entry) => isBelow(given, entry))
}

function isBelow(given: Parts, entry: string): boolean {
  const wanted = partsOf(entry)
  if (!wanted?.isWildcard) return false
  return given.scheme === wanted.scheme && given.port === wanted.port && given.host.endsWith(`.${wanted.host}`)
}

interface Parts {
  scheme: string
  isWildcard: boolean
  host: string
  port: string
}

function partsOf(origin: string): Parts | null {
  const [, scheme = '', below, host = '', port] = ORIGIN.exec(origin) ?? []
  if (host === '') return null
  return { scheme, isWildcard: below !== undefined, host, port: port ?? DEFAULT_PORTS[scheme] ?? '' }
}
