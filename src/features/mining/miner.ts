import { clusterTexts } from './clustering/cluster-texts.ts'
import { cohesionOf } from './clustering/cohesion.ts'
import { splitLoose } from './clustering/splitting.ts'
import { weigh } from './clustering/vectors.ts'
import { type Collection, collectionOf, describeCluster, type Group } from './describing/describe-cluster.ts'
import { collapse } from './reading/texts.ts'
import { createTicketStore, type TicketStore, wordsOfTicket } from './reading/ticket-store.ts'
import type { MinedTicket, MiningLimits, MiningOutcome } from './types.ts'

/** Below this the tickets of a cluster have little more in common than being tickets. */
const MIN_COHESION = 0.2
/** The share of the work that is clustering; the rest describes what it found. */
const CLUSTERING_SHARE = 0.8
/** Tickets that belong nowhere, shown of all. */
const SAMPLES = 10
/** In characters. */
const MAX_SAMPLE = 300

interface MinerOptions {
  wordsOf: (text: string) => string[]
  /** Whether groups that are too loose are split again, which is what runs do. */
  splits?: boolean
}

/** Takes tickets in one after the other, then finds the frequent problems in them. */
export function createMiner({ wordsOf, splits = true }: MinerOptions) {
  const store = createTicketStore(wordsOf)
  return {
    add: (ticket: MinedTicket): void => store.add(ticket),

    /** @param onProgress is told the share that is done, 0 to 1. */
    finish({ minFrequency, maxClusters }: MiningLimits, onProgress: (share: number) => void = () => {}): MiningOutcome {
      const { texts, terms, numbers } = groupTickets(store, {
        ...(splits ? { minTickets: minFrequency } : {}),
        onProgress: (share) => onProgress(share * CLUSTERING_SHARE),
      })
      const collection = collectionOf(store, texts, terms, numbers)
      const frequent = collection.groups
        .filter((group) => group.frequency >= minFrequency && isOneProblem(collection, group))
        .sort((a, b) => b.frequency - a.frequency || a.number - b.number)
      const described = frequent.slice(0, maxClusters).flatMap((group) => {
        const cluster = describeCluster(collection, group, wordsOf)
        return cluster ? [{ group, cluster }] : []
      })
      return {
        clusters: described.map(({ cluster }) => cluster),
        leftOut: Math.max(0, frequent.length - maxClusters),
        unclustered: remaining(
          collection,
          described.map(({ group }) => group),
        ),
      }
    },
  }
}

/** Tickets of no reported problem: how many, and some of them from all over. */
function remaining({ store, texts, counts }: Collection, reported: readonly Group[]): MiningOutcome['unclustered'] {
  const isReported = new Set(reported.flatMap((group) => group.texts))
  const left = [...texts.keys()].filter((text) => !isReported.has(text))
  const shown = left.filter(
    (_, at) => Math.floor((at * SAMPLES) / left.length) !== Math.floor(((at - 1) * SAMPLES) / left.length),
  )
  return {
    count: left.reduce((sum, text) => sum + (counts[text] as number), 0),
    samples: shown.flatMap((text) => {
      const ticket = store.tickets[texts[text]?.tickets[0] ?? -1]
      const said = ticket?.sentences
        .map((sentence) => sentence.text)
        .join(' ')
        .slice(0, MAX_SAMPLE)
        .trim()
      return ticket && said ? [{ ticketId: ticket.ticketId, text: said }] : []
    }),
  }
}

interface GroupingOptions extends NonNullable<Parameters<typeof clusterTexts>[2]> {
  /** Loose groups of so many tickets are split; undefined: none is. */
  minTickets?: number
}

/** The tickets of a store as distinct texts, each with the number of its group. */
export function groupTickets(
  store: Pick<TicketStore, 'tickets' | 'terms'>,
  { minTickets, ...options }: GroupingOptions,
) {
  const terms = store.terms()
  const texts = collapse(store.tickets.map(wordsOfTicket), terms)
  const rows = texts.map((text) => text.terms)
  const numbers = clusterTexts(rows, terms, options)
  if (minTickets === undefined) return { texts, terms, numbers }
  const words = weigh(rows, terms.size(), { keep: (term) => !terms.isPair(term) })
  const counts = texts.map(({ tickets }) => tickets.length)
  return { texts, terms, numbers: splitLoose(words, counts, numbers, { minCohesion: MIN_COHESION, minTickets }) }
}

function isOneProblem({ words, counts, texts }: Collection, group: Group): boolean {
  const saysSomething = group.texts.some((text) => (texts[text]?.terms.length ?? 0) > 0)
  return saysSomething && cohesionOf(words, group.texts, counts) >= MIN_COHESION
}
