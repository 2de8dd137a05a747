import { createHash } from 'node:crypto'
import type { SolutionCandidate } from '../describing/solutions.ts'
import type { MinedTicket } from '../types.ts'
import { cleanTicket } from './cleaning.ts'
import { createVocabulary, type Terms } from './vocabulary.ts'

/** A ticket reduced to what clustering needs. */
export interface ReadTicket {
  ticketId: string
  category: string
  sentences: ReadSentence[]
  /** Number of its solution; -1: none. */
  solution: number
}

export interface ReadSentence {
  text: string
  asks: boolean
  /** Content words as the vocabulary numbers them. */
  words: Uint32Array
}

/** A distinct solution; `ticket` is the first that was closed with it. */
export interface ReadSolution extends Omit<SolutionCandidate, 'count'> {
  ticket: number
}

const MAX_WORDS = 60
const MAX_SENTENCE = 300
const MAX_SOLUTION = 4_000

/** Reads tickets one after the other; holds a few hundred bytes of each. */
export function createTicketStore(wordsOf: (text: string) => string[]) {
  const vocabulary = createVocabulary()
  const solutionWords = createVocabulary()
  const tickets: ReadTicket[] = []
  const solutions: ReadSolution[] = []
  const solutionNumbers = new Map<string, number>()

  const solutionOf = (text: string): number => {
    const plain = text.replace(/\s+/g, ' ').trim()
    if (plain === '') return -1
    const key = createHash('sha1').update(plain).digest('base64')
    const known = solutionNumbers.get(key)
    if (known !== undefined) return known
    const words = new Set(solutionWords.read(wordsOf(plain.slice(0, MAX_SOLUTION))))
    solutions.push({ words: Uint32Array.from(words).sort(), length: plain.length, ticket: tickets.length })
    solutionNumbers.set(key, solutions.length - 1)
    return solutions.length - 1
  }

  return {
    tickets: tickets as readonly ReadTicket[],
    solutions: solutions as readonly ReadSolution[],
    add({ ticketId, subject, content, solution, category }: MinedTicket): void {
      const sentences = cleanTicket(subject, content).map(({ text, asks }) => {
        const shown = text.slice(0, MAX_SENTENCE)
        return { text: shown, asks, words: vocabulary.read(wordsOf(shown)) }
      })
      tickets.push({ ticketId, category, sentences, solution: solutionOf(solution) })
    },
    terms: (): Terms => vocabulary.terms(),
  }
}

export type TicketStore = ReturnType<typeof createTicketStore>

/** The words of a ticket, in order. */
export function wordsOfTicket({ sentences }: ReadTicket): Uint32Array {
  return Uint32Array.from(sentences.flatMap(({ words }) => [...words]).slice(0, MAX_WORDS))
}
