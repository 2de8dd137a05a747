import snowball from 'snowball-stemmers'
import { foldCase } from './normalise.ts'

const MAX_WORD_LENGTH = 48
const STEM_CACHE_SIZE = 50_000

const english = snowball.newStemmer('english')
const russian = snowball.newStemmer('russian')
const stems = new Map<string, string>()

/**
 * One stemmer per script, not per language: a query of three words is too short to guess its language from, and a stem
 * only has to be the same in the query and in the document.
 */
export function stem(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const stemmed = computeStem(word)
  if (stems.size >= STEM_CACHE_SIZE) stems.clear()
  stems.set(word, stemmed)
  return stemmed
}

function computeStem(word: string): string {
  if (/^[a-z]+$/.test(word)) return english.stem(word)
  if (/^[а-яё]+$/.test(word)) return russian.stem(word)
  return word
}

/** What one run of a spaced script means: its words in order, and the joined forms under which it is also indexed. */
export type SpacedTerms = { words: string[]; joined: string[] }

/**
 * Takes a run such as `COVID-19`, `v6.4.0` or `tidb_ddl_reorg_batch_size` apart and keeps it whole as well.
 * Every term holds letters and digits only and starts with a letter (numbers get an `n`), so Postgres's default parser reads
 * it as one token; the point of a version becomes a `d`, so that 6.4.0 and 64.0 differ.
 */
export function spacedTerms(run: string): SpacedTerms {
  const words: string[] = []
  const joined: string[] = []
  for (const section of run.split(/[@/:&]/)) addSection(section, words, joined)
  return { words, joined }
}

function addSection(section: string, words: string[], joined: string[]): void {
  const bare = section
    .replace(/'s$/i, '')
    .replaceAll("'", '')
    .replaceAll(/(\d),(?=\d{3})/g, '$1')
  const version = /^[a-z]?(\d+(?:\.\d+)+)$/i.exec(bare)
  if (version) {
    addVersion(version[1]!, words, joined)
    return
  }
  const parts = bare.split(/[._\-,]/).flatMap(splitCamelCase)
  for (const part of parts) words.push(wordTerm(part))
  if (parts.length > 1) joined.push(joinedTerm(parts))
  for (const part of parts) joined.push(...splitDigits(part))
}

function addVersion(number: string, words: string[], joined: string[]): void {
  const levels = number.split('.')
  words.push(`n${levels.join('d')}`.slice(0, MAX_WORD_LENGTH))
  if (levels.length > 2) joined.push(`n${levels.slice(0, 2).join('d')}`.slice(0, MAX_WORD_LENGTH))
}

function splitCamelCase(part: string): string[] {
  return part.split(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/u).filter((piece) => piece !== '')
}

function splitDigits(part: string): string[] {
  const pieces = /^(\p{L}{2,})(\d+)$/u.exec(part.slice(0, MAX_WORD_LENGTH))
  return pieces ? [wordTerm(pieces[1]!), wordTerm(pieces[2]!)] : []
}

function wordTerm(part: string): string {
  const folded = foldCase(part).slice(0, MAX_WORD_LENGTH)
  return startsWithLetter(stem(folded))
}

function joinedTerm(parts: readonly string[]): string {
  return startsWithLetter(stem(foldCase(parts.join('').slice(0, MAX_WORD_LENGTH))))
}

function startsWithLetter(term: string): string {
  return /^\p{L}/u.test(term) ? term : `n${term}`
}
