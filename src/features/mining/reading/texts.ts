import type { Terms } from './vocabulary.ts'

/** Tickets that say the same. */
export interface DistinctText {
  terms: Uint32Array
  /** Numbers of the tickets, in the order in which they came. */
  tickets: number[]
}

/**
 * Collapses tickets whose words come to the same terms. The texts are in an order of their own, so that what is made of
 * them does not depend on the order of the tickets.
 */
export function collapse(read: readonly Uint32Array[], terms: Terms): DistinctText[] {
  const meant = read.map(terms.meant)
  const order = [...read.keys()].sort((a, b) => compare(meant[a] as Uint32Array, meant[b] as Uint32Array) || a - b)
  const texts = new Map<string, DistinctText>()
  for (const ticket of order) {
    const own = terms.of(meant[ticket] as Uint32Array)
    const key = own.join()
    const known = texts.get(key)
    if (known) known.tickets.push(ticket)
    else texts.set(key, { terms: own, tickets: [ticket] })
  }
  for (const { tickets } of texts.values()) tickets.sort((a, b) => a - b)
  return [...texts.values()]
}

function compare(a: Uint32Array, b: Uint32Array): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const difference = (a[at] as number) - (b[at] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
