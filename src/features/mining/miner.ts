import { clusterTexts } from './clustering/cluster-texts.ts'
import { cohesionOf } from './clustering/cohesion.ts'
import { type Collection, collectionOf, describeCluster, type Group } from './describing/describe-cluster.ts'
import { collapse } from './reading/texts.ts'
import { createTicketStore, type TicketStore, wordsOfTicket } from './reading/ticket-store.ts'
import type { MinedTicket, MiningLimits, MiningOutcome } from './types.ts'

/** Below this the tickets of a cluster have little more in common than being tickets. */
const MIN_COHESION = 0.2
/** The share of the work that is clustering; the rest describes what it found. */
const CLUSTERING_SHARE = 0.8

/** Takes tickets in one after the other, then finds the frequent problems in them. */
export function createMiner({ wordsOf }: { wordsOf: (text: string) => string[] }) {
  const store = createTicketStore(wordsOf)
  return {
    add: (ticket: MinedTicket): void => store.add(ticket),

    /** @param onProgress is told the share that is done, 0 to 1. */
    finish({ minFrequency, maxClusters }: MiningLimits, onProgress: (share: number) => void = () => {}): MiningOutcome {
      const { texts, terms, numbers } = groupTickets(store, {
        onProgress: (share) => onProgress(share * CLUSTERING_SHARE),
      })
      const collection = collectionOf(store, texts, terms, numbers)
      const frequent = collection.groups
        .filter((group) => group.frequency >= minFrequency && isOneProblem(collection, group))
        .sort((a, b) => b.frequency - a.frequency || a.number - b.number)
      const clusters = frequent
        .slice(0, maxClusters)
        .flatMap((group) => describeCluster(collection, group, wordsOf) ?? [])
      return { clusters, leftOut: Math.max(0, frequent.length - maxClusters) }
    },
  }
}

/** The tickets of a store as distinct texts, each with the number of its group. */
export function groupTickets(
  store: Pick<TicketStore, 'tickets' | 'terms'>,
  options: Parameters<typeof clusterTexts>[2],
) {
  const terms = store.terms()
  const texts = collapse(store.tickets.map(wordsOfTicket), terms)
  const rows = texts.map((text) => text.terms)
  return { texts, terms, numbers: clusterTexts(rows, terms, options) }
}

function isOneProblem({ words, counts, texts }: Collection, group: Group): boolean {
  const saysSomething = group.texts.some((text) => (texts[text]?.terms.length ?? 0) > 0)
  return saysSomething && cohesionOf(words, group.texts, counts) >= MIN_COHESION
}
