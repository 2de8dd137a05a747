import type { ChunkText } from '../retrieval/ranking/chunk-features.ts'
import { type Claim, type ClaimKind, claimsOf, topicOf } from './claims.ts'
import { createNumbering, createVocabulary } from './term-sets.ts'

export interface StatementSource extends ChunkText {
  docId: string
  /** A statement on one product, or on one version of it, need not hold for another. */
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

/** @param words the analyser's words of a text, in order. */
export function createStatementReader(words: (text: string) => string[]) {
  const vocabulary = createVocabulary()
  const numberOf = createNumbering()
  return {
    /** Weights of words among the statements read so far. */
    weights: vocabulary.weights,
    /** The statements of a passage, which is the `chunk`-th. */
    read(chunk: number, source: StatementSource): Statement[] {
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
