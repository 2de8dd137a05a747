import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { memoize } from '../../kernel/memoize.ts'
import { normalise } from '../fold.ts'
import { createAbroad } from '../synonyms/abroad.ts'
import { type Alternative, createSynonyms, findSynonymProblems } from '../synonyms/synonyms.ts'
import { createSegmenter, type Segmenter } from './cjk.ts'
import { spacedTerms } from './spaced.ts'
import { isStopWord } from './stop-words.ts'
import { bigrams, tokenise } from './tokenise.ts'

export type { Alternative }

/** A file of another kind has something wrong in every line. */
const MAX_PROBLEMS = 5

/** Change this when the same text yields other terms than before: what is stored must then be analysed again. */
const REVISION = 6
/** Headings stand over many passages of a document. */
const KEPT_HEADINGS = { maxEntries: 1_000, maxLength: 200 }

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
  const heading = memoize((line) => analysedOf(lowerIfShouted(line), segmenter), KEPT_HEADINGS)
  const problems = findSynonymProblems(synonyms, words)
  if (problems.length > 0) throw new AppError('bad_request', 'synonyms', problems.slice(0, MAX_PROBLEMS).join('; '))
  return {
    /** Changes whenever the same text would yield other terms; compare it with the stored one to know that an index is stale. */
    fingerprint: digest(`${REVISION}\n${process.versions.unicode}\n${userDictionary}`),
    /** Changes with the user's synonyms, which are no part of `fingerprint`: stored terms do not hold them. */
    synonymsFingerprint: digest(`${REVISION}\n${synonyms}`),
    /** Every term of a text, repeated as often as it occurs: for comparing texts with each other. */
    documentTerms: (text: string): string[] => allTerms(text, segmenter),
    /** The terms under which a text is found, repeated as often as they occur, and the result of `words`, in one pass. */
    document: (text: string): AnalysedText => analysedOf(lowerIfShouted(normalise(text)), segmenter),
    /** The terms of lines that stand below each other, as of one text, and the words of each line. */
    headings(lines: readonly string[]): { terms: string[]; words: readonly (readonly string[])[] } {
      const normalised = lines.map(normalise)
      const isOneShouted = isShouted(normalised.join('\n'))
      const analysed = normalised.map(heading)
      const terms = analysed.flatMap((each, i) => {
        const line = normalised[i]!
        if (isShouted(line) === isOneShouted) return each.terms
        return analysedOf(isOneShouted ? line.toLowerCase() : line, segmenter).terms
      })
      return { terms, words: analysed.map((each) => each.words) }
    },
    /** The distinct terms of `documentTerms`, in order; stop words are left out unless nothing else is there. */
    queryTerms: (text: string): string[] => contentOf(allTerms(text, segmenter)),
    /** As `queryTerms`, of the terms under which texts are found. */
    searchTerms: (text: string): string[] => contentOf(analysedOf(lowerIfShouted(normalise(text)), segmenter).terms),
    /** The words of a text in order, stop words included and without overlapping forms: for phrases and proximity. */
    words,
    /** The shorter words, of two characters at least, that a Chinese word holds; none for words of other scripts. */
    parts: (word: string): string[] =>
      /^\p{Script=Han}{3,}$/u.test(word) ? segmenter.searchWords(word).filter(isPartOf(word)) : [],
    /** Other wordings for parts of a text, given its `words`. */
    alternatives: createSynonyms(words, synonyms),
    /** Words for other countries together, in place of the name of one: given the `words` of a text. */
    abroad: createAbroad(words),
  }
}

function isPartOf(word: string): (part: string) => boolean {
  return (part) => part !== word && part.length > 1 && !isStopWord(part)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Terms that a text is found by and its words, both in order. */
interface AnalysedText {
  readonly terms: string[]
  readonly words: string[]
}

/** @param text normalised, and in small letters where capitals mean nothing. */
function analysedOf(text: string, segmenter: Segmenter): AnalysedText {
  const terms: string[] = []
  const words: string[] = []
  for (const run of tokenise(text)) {
    if (run.script === 'han') {
      const found = segmenter.allWords(run.text)
      append(words, found.words)
      appendFoundHan(terms, found)
    } else if (run.script === 'syllabic') {
      const pairs = bigrams(run.text)
      append(words, pairs)
      append(terms, pairs)
    } else {
      const found = spacedTerms(run.text)
      append(words, found.words)
      append(terms, found.words)
      append(terms, found.joined)
    }
  }
  return { terms, words }
}

function allTerms(text: string, segmenter: Segmenter): string[] {
  const terms: string[] = []
  for (const run of tokenise(lowerIfShouted(normalise(text)))) {
    if (run.script === 'han') appendHanTerms(terms, run.text, segmenter.searchWords(run.text))
    else if (run.script === 'syllabic') append(terms, bigrams(run.text))
    else {
      const { words, joined } = spacedTerms(run.text)
      append(terms, words)
      append(terms, joined)
    }
  }
  return terms
}

function appendHanTerms(terms: string[], run: string, words: readonly string[]): void {
  const known = new Set(words)
  append(terms, words)
  for (const pair of bigrams(run)) if (!known.has(pair)) terms.push(pair)
}

/**
 * A text is found by its words, and by pairs of characters where these may be cut otherwise in a question: within a long
 * word, and where single characters follow each other, as those of a name do that no dictionary has. Pairs across two
 * words say nothing that the words do not, and would be most of an index: nearly each comes once.
 */
function appendFoundHan(terms: string[], { words, searchWords }: ReturnType<Segmenter['allWords']>): void {
  const known = new Set(searchWords)
  append(terms, searchWords)
  for (const pair of doubtfulPairs(words)) if (!known.has(pair)) terms.push(pair)
}

function doubtfulPairs(words: readonly string[]): string[] {
  const pairs: string[] = []
  let previous = ''
  for (const word of words) {
    if (word.length > 2) append(pairs, bigrams(word))
    const single = isSingle(word) && !isStopWord(word) ? word : ''
    if (single !== '' && previous !== '') pairs.push(previous + single)
    previous = single
  }
  return pairs
}

function isSingle(word: string): boolean {
  return word.length === 1 || (word.length === 2 && word.codePointAt(0)! > 0xffff)
}

function contentOf(all: readonly string[]): string[] {
  const terms = [...new Set(all)]
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

function lowerIfShouted(text: string): string {
  return isShouted(text) ? text.toLowerCase() : text
}

/** In a text without small letters capitals mean nothing. */
function isShouted(text: string): boolean {
  return !/\p{Ll}/u.test(text) && /\p{Lu}{2,4}[^\p{L}]+\p{Lu}/u.test(text)
}

// Not push(...items): a spread of a long array overflows the stack.
function append(target: string[], items: readonly string[]): void {
  for (const item of items) target.push(item)
}
