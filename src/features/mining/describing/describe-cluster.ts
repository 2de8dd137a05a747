import { membersOf } from '../clustering/centroids.ts'
import { cohesionOf } from '../clustering/cohesion.ts'
import { likeness, type Matter, middlesOf } from '../clustering/likeness.ts'
import { product, UNKNOWN } from '../clustering/meanings.ts'
import { inverseFrequencies, type SparseVectors, weigh } from '../clustering/vectors.ts'
import type { DistinctText } from '../reading/texts.ts'
import type { ReadSentence, ReadTicket, TicketStore } from '../reading/ticket-store.ts'
import type { Terms } from '../reading/vocabulary.ts'
import type { MinedCluster } from '../types.ts'
import { chooseKeywords, mostFrequent } from './keywords.ts'
import { asQuestion, fitness } from './questions.ts'
import { bestSolution } from './solutions.ts'

/** Texts that are about one thing. */
export interface Group {
  number: number
  texts: number[]
  /** Tickets. */
  frequency: number
}

const CENTROID_TERMS = 200
const PROFILE_WORDS = 40
/** Share of the best keyword's score. */
const MIN_KEYWORD = 0.1
const MAX_TICKET_IDS = 1_000
const MAX_CATEGORIES = 5
/** The representative question is looked for in the texts nearest to the centroid. */
const CENTRAL_TEXTS = 30
const TICKETS_PER_TEXT = 5

interface Grouped {
  texts: readonly DistinctText[]
  terms: Terms
  /** Of words alone, and of meaning. */
  matter: Matter
  /** For each text the number of its group. */
  numbers: Uint32Array
}

export type Collection = ReturnType<typeof collectionOf>

/** Everything that is known of a collection of tickets once it is clustered. */
export function collectionOf(
  store: Pick<TicketStore, 'tickets' | 'solutions' | 'meaningOf'>,
  { texts, terms, matter, numbers }: Grouped,
) {
  const rows = texts.map((text) => text.terms)
  const counts = texts.map(({ tickets }) => tickets.length)
  const members = membersOf(numbers)
  const whole = { ...matter, words: weigh(rows, terms.size()) }
  const groups = members.map((own, number): Group => {
    return { number, texts: own, frequency: own.reduce((sum, text) => sum + (counts[text] as number), 0) }
  })
  return {
    store,
    texts,
    terms,
    groups,
    /** For how many tickets each text stands. */
    counts,
    matter,
    /** Of words and pairs, as the middles are. */
    whole,
    middles: middlesOf(whole, members, CENTROID_TERMS),
    /** Of each term. */
    weights: inverseFrequencies(rows, terms.size()),
    /** In how many tickets each term stands. */
    frequencies: ticketFrequencies(texts, terms),
  }
}

function ticketFrequencies(texts: readonly DistinctText[], terms: Terms): Uint32Array {
  const frequencies = new Uint32Array(terms.size())
  for (const text of texts) for (const term of text.terms) frequencies[term]! += text.tickets.length
  return frequencies
}

/** A cluster as people read it; undefined when no sentence of it is fit to be shown. */
export function describeCluster(
  collection: Collection,
  group: Group,
  wordsOf: (text: string) => string[],
): MinedCluster | undefined {
  const { store, texts, matter, counts } = collection
  const central = centralTickets(collection, group)
  const question = chooseQuestion(collection, group, central)
  if (question === undefined) return undefined
  const numbers = group.texts.flatMap((text) => texts[text]?.tickets ?? []).sort((a, b) => a - b)
  const tickets = numbers.map((number) => store.tickets[number] as ReadTicket)
  const shown = central.flatMap((ticket) => ticket.sentences.map(({ text }) => text))
  return {
    question,
    frequency: group.frequency,
    ticketIds: tickets.slice(0, MAX_TICKET_IDS).map(({ ticketId }) => ticketId),
    solutionTicketId: chooseSolution(collection, tickets),
    keywords: chooseKeywords(tellingWords(collection, group), shown, wordsOf),
    categories: mostFrequent(tickets.flatMap(({ category }) => category || [])).slice(0, MAX_CATEGORIES),
    confidence: rounded(cohesionOf(matter, group.texts, counts)),
    profile: profileOf(collection, group),
  }
}

function centralTickets({ store, texts, whole, middles }: Collection, group: Group): ReadTicket[] {
  return group.texts
    .map((text) => ({ text, near: likeness(whole, text, middles, group.number) }))
    .sort((a, b) => b.near - a.near || a.text - b.text)
    .slice(0, CENTRAL_TEXTS)
    .flatMap(({ text }) => (texts[text] as DistinctText).tickets.slice(0, TICKETS_PER_TEXT))
    .map((ticket) => store.tickets[ticket] as ReadTicket)
}

function chooseQuestion(collection: Collection, group: Group, tickets: readonly ReadTicket[]): string | undefined {
  const sentences = tickets.flatMap((ticket) => ticket.sentences)
  const fitting = sentences.map((sentence) => {
    const { text, asks, words } = sentence
    const meaning = collection.store.meaningOf([sentence])
    const fit = fitness({
      text,
      asks,
      likeness: nearnessOf(collection, group, { words, meaning }),
      words: words.length,
      slips: collection.terms.slipsIn(words),
      isUnderstood: meaning.some((value) => value !== 0),
    })
    return { text, fit }
  })
  const [best] = fitting.filter(({ fit }) => fit > 0).sort((a, b) => b.fit - a.fit || (a.text < b.text ? -1 : 1))
  return best && asQuestion(best.text)
}

/** How near a sentence is to the middle of a group, 0 to 1. */
function nearnessOf(
  collection: Collection,
  group: Group,
  { words, meaning }: Pick<ReadSentence, 'words'> & { meaning: Float32Array },
): number {
  const { middles } = collection
  const byWords = wordNearness(collection, group, words)
  if (middles.meanings.languages[group.number] === UNKNOWN) return byWords
  const byMeaning = product(meaning, 0, middles.meanings.rows, group.number)
  return (1 - middles.share) * byWords + middles.share * Math.max(0, byMeaning)
}

/** Cosine of a sentence with the middle of a group, by words. */
function wordNearness({ terms, weights, middles }: Collection, group: Group, words: ReadSentence['words']): number {
  const own = new Map(Array.from(terms.of(terms.meant(words)), (term) => [term, weights[term] ?? 0]))
  const length = Math.hypot(...own.values())
  // A cluster of one text may share no term with others: then each of its sentences stands for it.
  if (length === 0) return group.texts.length === 1 ? 0.5 : 0
  let sum = 0
  for (const [term, weight] of entriesOf(middles.words, group)) sum += weight * (own.get(term) ?? 0)
  return sum / length
}

function entriesOf({ offsets, columns, weights }: SparseVectors, { number }: Group): [term: number, weight: number][] {
  const [start, end] = [offsets[number] as number, offsets[number + 1] as number]
  return Array.from(columns.subarray(start, end), (term, at) => [term, weights[start + at] as number])
}

/** Words by how heavy they are in the group, and by how much of their use in all tickets falls into it; best first. */
function tellingWords(collection: Collection, group: Group): string[] {
  const { terms, texts, counts, middles, frequencies } = collection
  const inside = new Map<number, number>()
  for (const text of group.texts) {
    for (const term of (texts[text] as DistinctText).terms) {
      inside.set(term, (inside.get(term) ?? 0) + (counts[text] as number))
    }
  }
  const scored = entriesOf(middles.words, group)
    .filter(([term]) => !terms.isPair(term))
    .map(([term, weight]) => {
      const share = (inside.get(term) ?? 0) / (frequencies[term] as number)
      return { word: terms.wordOf(term), score: weight * Math.sqrt(share) }
    })
    .sort((a, b) => b.score - a.score)
  return scored.filter(({ score }) => score >= (scored[0]?.score ?? 0) * MIN_KEYWORD).map(({ word }) => word)
}

function profileOf({ middles, terms }: Collection, group: Group): Record<string, number> {
  const heaviest = entriesOf(middles.words, group)
    .filter(([term]) => !terms.isPair(term))
    .sort((a, b) => b[1] - a[1])
    .slice(0, PROFILE_WORDS)
  return Object.fromEntries(heaviest.map(([term, weight]) => [terms.wordOf(term), rounded(weight)]))
}

function chooseSolution({ store }: Collection, tickets: readonly ReadTicket[]): string | null {
  const counts = new Map<number, number>()
  for (const { solution } of tickets) if (solution >= 0) counts.set(solution, (counts.get(solution) ?? 0) + 1)
  const candidates = [...counts].map(([solution, count]) => ({ ...store.solutions[solution]!, count }))
  const best = candidates[bestSolution(candidates)]
  return best ? (store.tickets[best.ticket]?.ticketId ?? null) : null
}

function rounded(share: number): number {
  return Math.round(share * 1_000) / 1_000
}
