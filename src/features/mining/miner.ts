import type { VectorFile } from '../../ai/embedder/vectors/format.ts'
import { type ClusteringOptions, clusterTexts, DEFAULT_CLUSTERING } from './clustering/cluster-texts.ts'
import { cohesionOf } from './clustering/cohesion.ts'
import { splitLoose } from './clustering/splitting.ts'
import { weigh } from './clustering/vectors.ts'
import { type Collection, collectionOf, describeCluster, type Group } from './describing/describe-cluster.ts'
import { readMeanings } from './reading/meanings.ts'
import { collapse } from './reading/texts.ts'
import { createTicketStore, type TicketStore, textOf, wordsOfTicket } from './reading/ticket-store.ts'
import type { MinedTicket, MiningLimits, MiningOutcome } from './types.ts'

/** Below this the tickets of a cluster have little more in common than being tickets. */
const MIN_COHESION = 0.2
/** For whether a group is of one mind its meaning counts for more than for finding it. */
const COHESION_SHARE = 1.5
/** The share of the work that is clustering; the rest describes what it found. */
const CLUSTERING_SHARE = 0.8
/** Tickets that belong nowhere, shown of all. */
const SAMPLES = 10
/** In characters. */
const MAX_SAMPLE = 300

interface MinerOptions {
  wordsOf: (text: string) => string[]
  /** Instead of the built-in ones, to try them. */
  vectors?: VectorFile | undefined
  /** Changes of the settings, to try them. */
  clustering?: Partial<ClusteringOptions>
}

/** Takes tickets in one after the other, then finds the frequent problems in them. */
export function createMiner({ wordsOf, vectors, clustering = {} }: MinerOptions) {
  const store = createTicketStore(wordsOf, vectors)
  return {
    add: (ticket: MinedTicket): void => store.add(ticket),

    /** @param onProgress is told the share that is done, 0 to 1. */
    finish({ minFrequency, maxClusters }: MiningLimits, onProgress: (share: number) => void = () => {}): MiningOutcome {
      const grouped = groupTickets(store, {
        ...clustering,
        minTickets: minFrequency,
        onProgress: (share) => onProgress(share * CLUSTERING_SHARE),
      })
      const collection = collectionOf(store, grouped)
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
      const said = ticket && textOf(ticket).slice(0, MAX_SAMPLE).trim()
      return ticket && said ? [{ ticketId: ticket.ticketId, text: said }] : []
    }),
  }
}

interface GroupingOptions extends NonNullable<Parameters<typeof clusterTexts>[3]> {
  /** Loose groups of so many tickets are split; undefined: none is. */
  minTickets?: number
}

/** The tickets of a store as distinct texts, each with the number of its group. */
export function groupTickets(
  store: Pick<TicketStore, 'tickets' | 'terms' | 'meaningOf'>,
  { minTickets, ...options }: GroupingOptions,
) {
  const terms = store.terms()
  const texts = collapse(store.tickets.map(wordsOfTicket), terms)
  const rows = texts.map((text) => text.terms)
  const meanings = readMeanings(store, texts)
  const numbers = clusterTexts(rows, terms, meanings, options)
  const words = weigh(rows, terms.size(), { keep: (term) => !terms.isPair(term) })
  const share = Math.min(1, COHESION_SHARE * (options.meaningShare ?? DEFAULT_CLUSTERING.meaningShare))
  const matter = { words, meanings, share }
  if (minTickets === undefined) return { texts, terms, matter, numbers }
  const counts = texts.map(({ tickets }) => tickets.length)
  const split = splitLoose(matter, counts, numbers, { minCohesion: MIN_COHESION, minTickets })
  return { texts, terms, matter, numbers: split }
}

function isOneProblem({ matter, counts, texts }: Collection, group: Group): boolean {
  const saysSomething = group.texts.some((text) => (texts[text]?.terms.length ?? 0) > 0)
  return saysSomething && cohesionOf(matter, group.texts, counts) >= MIN_COHESION
}
