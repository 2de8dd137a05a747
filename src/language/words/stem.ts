import { createRequire } from 'node:module'

// An import of such a module keeps its text twice, and this one's is a megabyte.
const require = createRequire(import.meta.url)
const snowball: typeof import('snowball-stemmers') = require('snowball-stemmers')

const STEM_CACHE_SIZE = 50_000

const english = snowball.newStemmer('english')
const russian = snowball.newStemmer('russian')
const stems = new Map<string, string>()

/**
 * One stemmer per script, not per language: a query of three words is too short to guess its language from, and a stem
 * only has to be the same in the query and in the document. Takes a word in lower case.
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
