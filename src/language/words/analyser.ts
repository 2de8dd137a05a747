import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { normalise } from '../fold.ts'
import { type Alternative, createSynonyms, findSynonymProblems } from '../synonyms/synonyms.ts'
import { createSegmenter, type Segmenter } from './cjk.ts'
import { spacedTerms } from './spaced.ts'
import { isStopWord } from './stop-words.ts'
import { bigrams, tokenise } from './tokenise.ts'

export type { Alternative }

/** A file of another kind has something wrong in every line. */
const MAX_PROBLEMS = 5

/** Change this when the same text yields other terms than before: what is stored must then be analysed again. */
const REVISION = 4

export type AnalyserOptions = {
  /** Text of a dictionary file: one word a line, optionally followed by its frequency; `#` starts a comment. */
  userDictionary?: string
  /** Text of a synonym file: one group a line, its entries separated by commas; `#` starts a comment. */
  synonyms?: string
}

export type Analyser = ReturnType<typeof createAnalyser>

/**
 * Turns text into terms, the same way for documents and queries. Terms hold no white space and only characters that Postgres's
 * default parser keeps together, so they can be stored joined by blanks and indexed with the `simple` configuration.
 *
 * @throws AppError `bad_request` that names each line of the synonyms that means nothing.
 */
export function createAnalyser({ userDictionary = '', synonyms = '' }: AnalyserOptions = {}) {
  const segmenter = createSegmenter(userDictionary)
  const words = (text: string): string[] => wordsInOrder(text, segmenter)
  const problems = findSynonymProblems(synonyms, words)
  if (problems.length > 0) throw new AppError('bad_request', 'synonyms', problems.slice(0, MAX_PROBLEMS).join('; '))
  return {
    /** Changes whenever the same text would yield other terms; compare it with the stored one to know that an index is stale. */
    fingerprint: digest(`${REVISION}\n${process.versions.unicode}\n${userDictionary}`),
    /** Changes with the user's synonyms, which are no part of `fingerprint`: stored terms do not hold them. */
    synonymsFingerprint: digest(`${REVISION}\n${synonyms}`),
    /** Every term under which a text is found, repeated as often as it occurs. */
    documentTerms: (text: string): string[] => allTerms(text, segmenter),
    /** The distinct terms to search by, in order; stop words are left out unless nothing else is there. */
    queryTerms: (text: string): string[] => distinctContentTerms(text, segmenter),
    /** The words of a text in order, stop words included and without overlapping forms: for phrases and proximity. */
    words,
    /** The shorter words, of two characters at least, that a Chinese word holds; none for words of other scripts. */
    parts: (word: string): string[] =>
      /^\p{Script=Han}{3,}$/u.test(word) ? segmenter.searchWords(word).filter(isPartOf(word)) : [],
    /** Other wordings for parts of a text, given its `words`. */
    alternatives: createSynonyms(words, synonyms),
  }
}

function isPartOf(word: string): (part: string) => boolean {
  return (part) => part !== word && part.length > 1 && !isStopWord(part)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function allTerms(text: string, segmenter: Segmenter): string[] {
  const terms: string[] = []
  for (const run of tokenise(lowerIfShouted(normalise(text)))) {
    if (run.script === 'han') append(terms, hanTerms(run.text, segmenter))
    else if (run.script === 'syllabic') append(terms, bigrams(run.text))
    else {
      const { words, joined } = spacedTerms(run.text)
      append(terms, words)
      append(terms, joined)
    }
  }
  return terms
}

function hanTerms(run: string, segmenter: Segmenter): string[] {
  const words = segmenter.searchWords(run)
  const known = new Set(words)
  return [...words, ...bigrams(run).filter((pair) => !known.has(pair))]
}

function distinctContentTerms(text: string, segmenter: Segmenter): string[] {
  const terms = [...new Set(allTerms(text, segmenter))]
  const content = terms.filter((term) => !isStopWord(term))
  return content.length > 0 ? content : terms
}

function wordsInOrder(text: string, segmenter: Segmenter): string[] {
  const words: string[] = []
  for (const run of tokenise(lowerIfShouted(normalise(text)))) {
    if (run.script === 'han') append(words, segmenter.words(run.text))
    else if (run.script === 'syllabic') append(words, bigrams(run.text))
    else append(words, spacedTerms(run.text).words)
  }
  return words
}

/** In a text without small letters capitals mean nothing. */
function lowerIfShouted(text: string): string {
  return /\p{Ll}/u.test(text) || !/\p{Lu}{2,4}[^\p{L}]+\p{Lu}/u.test(text) ? text : text.toLowerCase()
}

// Not push(...items): a spread of a long array overflows the stack.
function append(target: string[], items: readonly string[]): void {
  for (const item of items) target.push(item)
}
