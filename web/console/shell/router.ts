import { computed, signal } from '@preact/signals'

export interface Place {
  /** First part of the address; empty at the start. */
  screen: string
  /** All that follows it: `#/knowledge/doc-1/versions` has `['doc-1', 'versions']`. */
  parts: readonly string[]
  query: Readonly<Record<string, string>>
}

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

/** Where the console is, by the part of the address after `#`, so that every state has an address to share. */
export const place = computed<Place>(() => parse(hash.value))

function parse(text: string): Place {
  const [path = '', search = ''] = text.replace(/^#\/?/, '').split('?', 2)
  const [screen = '', ...parts] = path.split('/').filter(Boolean).map(decode)
  return { screen, parts, query: Object.fromEntries(new URLSearchParams(search)) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The address of a place, for links: `to('knowledge', id)`, `to('inbox', id, { tab: 'mine' })`. Empty values are left out. */
export function to(screen: string, ...rest: (string | number | Record<string, string | undefined>)[]): string {
  const path = [screen, ...rest.filter((part) => typeof part !== 'object')].map((part) => encodeURIComponent(part))
  const query = new URLSearchParams()
  for (const part of rest) {
    if (typeof part !== 'object') continue
    for (const [name, value] of Object.entries(part)) if (value) query.set(name, value)
  }
  const search = query.toString()
  return `#/${path.join('/')}${search ? `?${search}` : ''}`
}

export function go(address: string): void {
  location.hash = address
}

/** Another address for the same place, as filters make it: going back does not pass through each of them. */
export function replace(address: string): void {
  history.replaceState(null, '', address)
  hash.value = location.hash
}
