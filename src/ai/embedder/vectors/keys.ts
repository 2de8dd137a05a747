import { hashTerm } from '../../../language/words/hash-term.ts'

const HAN = /^\p{Script=Han}+$/u

/** The keys under which a text's words are looked up: each word, and each character of a Chinese one. */
export function vectorKeys(words: readonly string[]): number[] {
  const keys: number[] = []
  for (const word of words) {
    keys.push(hashTerm(word))
    if (HAN.test(word)) for (const character of word) keys.push(hashTerm(`c:${character}`))
  }
  return keys
}
