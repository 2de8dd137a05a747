import { createHash } from 'node:crypto'
import type { VectorFile } from '../../../ai/embedder/vectors/format.ts'
import { meaningOf } from '../../../ai/embedder/vectors/store.ts'
import type { SolutionCandidate } from '../describing/solutions.ts'
import type { MinedTicket } from '../types.ts'
import { cleanTicket } from './cleaning.ts'
import { createNumbering, createVocabulary, type Terms } from './vocabulary.ts'

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
  /** All words, as the lexicon numbers them: "how much" and "how long" differ in what is no content word. */
  said: Uint32Array
}

/** A distinct solution; `ticket` is the first that was closed with it. */
export interface ReadSolution extends Omit<SolutionCandidate, 'count'> {
  ticket: number
}

const MAX_WORDS = 60
const MAX_SAID = 120
/** Short words are the same in many languages. */
const TELLING_WORD = /^\p{Script=Latin}{4,}$|^\P{Script=Latin}+$/u
const MAX_SENTENCE = 300
const MAX_SOLUTION = 4_000

/** Reads tickets one after the other; holds a few hundred bytes of each. @param vectors of words; the built-in ones unless others are tried */
export function createTicketStore(wordsOf: (text: string) => string[], vectors?: VectorFile) {
  const vocabulary = createVocabulary()
  const lexicon = createNumbering()
  const solutionWords = createVocabulary()
  const tickets: ReadTicket[] = []
  const solutions: ReadSolution[] = []
  const solutionNumbers = new Map<string, number>()

  const wordAt = (number: number): string => lexicon.words[number] as string
  const known: boolean[] = []
  const isKnown = (number: number): boolean => {
    known[number] ??= meaningOf([wordAt(number)], vectors).some((value) => value !== 0)
    return known[number]
  }

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
        const words = wordsOf(shown)
        return { text: shown, asks, words: vocabulary.read(words), said: Uint32Array.from(words, lexicon.numberOf) }
      })
      tickets.push({ ticketId, category, sentences, solution: solutionOf(solution) })
    },
    terms: (): Terms => vocabulary.terms(),
    /**
     * The meaning of sentences: of length 1, or zeros where fewer than a third of the longer words are known. In a language that the vectors do
     * not know, the few words that they do, such as "app", would be all that is said.
     */
    meaningOf(sentences: readonly Pick<ReadSentence, 'said'>[]): Float32Array {
      const said = sentences.flatMap((sentence) => [...sentence.said]).slice(0, MAX_SAID)
      const telling = said.filter((number) => TELLING_WORD.test(wordAt(number)))
      const isUnderstood = telling.filter(isKnown).length >= telling.length / 3
      return meaningOf(isUnderstood ? said.map(wordAt) : [], vectors)
    },
  }
}

export type TicketStore = ReturnType<typeof createTicketStore>

/** The words of a ticket, in order. */
export function wordsOfTicket({ sentences }: ReadTicket): Uint32Array {
  return Uint32Array.from(sentences.flatMap(({ words }) => [...words]).slice(0, MAX_WORDS))
}

export function textOf({ sentences }: ReadTicket): string {
  return sentences.map(({ text }) => text).join(' ')
}
