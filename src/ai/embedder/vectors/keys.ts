import { hashTerm } from '../../../language/words/hash-term.ts'

const HAN = /^\p{Script=Han}+$/u
/** The first of the block of radicals: no ideograph comes before it. */
const FIRST_HAN = 0x2e80

/** The keys under which a text's words are looked up: each word, and each character of a Chinese one. */
export function vectorKeys(words: readonly string[]): number[] {
  const keys: number[] = []
  for (const word of words) {
    keys.push(hashTerm(word))
    if (word.charCodeAt(0) >= FIRST_HAN && HAN.test(word)) {
      for (const character of word) keys.push(hashTerm(`c:${character}`))
    }
  }
  return keys
}
