import { type Claim, type ClaimKind, type ClaimSource, claimsOf, topicOf } from './claims.ts'
import { createVocabulary, type Weight } from './term-sets.ts'

export interface StatementSource extends ClaimSource {
  docId: string
  title: string
  headingPath: readonly string[]
  /** What is said of one product, or of one version of it, need not hold for another. */
  productCategory: string
  applicableVersion: string
}

/** A claim with its place, in numbers: a hundred thousand passages make some millions of comparisons. */
export interface Statement {
  chunk: number
  document: number
  kind: ClaimKind
  /** Statements of one measure have the same kind and unit. */
  measure: number
  low: number
  high: number
  bound: Claim['bound']
  qualifiers: number
  /** Number of words, also of those that say little. */
  length: number
  /** 0: for all of them. */
  category: number
  version: number
  codes: number
  topicCodes: number
  about: Uint32Array
  topic: Uint32Array
  sentence: string
}

export interface StatementReader {
  /** The statements of a passage, which is the `chunk`-th. */
  read(chunk: number, source: StatementSource): Statement[]
  /** Weights of words among the statements read so far. */
  weights(): Weight
}

/** @param words the analyser's words of a text, in order. */
export function createStatementReader(words: (text: string) => string[]): StatementReader {
  const vocabulary = createVocabulary()
  const numberOf = createNumbering()
  return {
    weights: vocabulary.weights,
    read(chunk, source) {
      const claims = claimsOf(source, words)
      if (claims.length === 0) return []
      const heading = topicOf(source, words)
      const place = {
        chunk,
        document: numberOf(`document ${source.docId}`),
        category: source.productCategory === 'unknown' ? 0 : numberOf(source.productCategory),
        version: source.applicableVersion === 'latest' ? 0 : numberOf(source.applicableVersion),
        topic: vocabulary.read(heading.terms),
        topicCodes: numberOf(heading.codes),
      }
      return claims.flatMap(({ terms, codes, unit, ...claim }) => {
        if (terms.length === 0) return []
        const about = vocabulary.count(terms)
        return [{ ...place, ...claim, about, codes: numberOf(codes), measure: numberOf(`${claim.kind} ${unit}`) }]
      })
    },
  }
}

/** Numbers from 1 in the order in which texts are first seen. */
function createNumbering(): (text: string) => number {
  const numbers = new Map<string, number>()
  return (text) => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size + 1)
    return numbers.size
  }
}
