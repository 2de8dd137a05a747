import { decodeFeatures } from '../retrieval/ranking/chunk-features.ts'
import { createConflictFinder } from './conflicts.ts'
import { createDuplicateFinder, type Duplicate } from './duplicates.ts'
import type { QualityLists } from './lists.ts'
import type { StatementSource } from './statements.ts'
import { createWordMatcher, type FoldedText, foldText, type WordMatch } from './word-matcher.ts'

/** A chunk as the checks read it. */
export interface InspectedChunk extends StatementSource {
  /** null: not stored yet. */
  chunkId: number | null
  source: string
  /** The result of `encodeFeatures`. */
  features: Uint8Array
  /** Findings are about chunks in scope; the others are what they are compared with. */
  inScope: boolean
}

export type ChunkReference = Pick<InspectedChunk, 'chunkId' | 'docId' | 'source'>

export interface Inspection {
  /** Chunks in scope. */
  totalChunks: number
  /** All of them are counted; at most `MAX_LISTED` are listed. */
  duplicateCount: number
  duplicates: { chunk: ChunkReference; duplicateOf: ChunkReference; similarity: number; excerpt: string }[]
  /** In how many chunks in scope each term of the glossary occurs, in any of its forms. */
  terms: { term: string; hits: number }[]
  sensitiveHits: { chunk: ChunkReference; word: string; category: string; excerpt: string }[]
  conflicts: { a: ChunkReference; b: ChunkReference; kind: string; excerptA: string; excerptB: string }[]
}

type WordChecks = ReturnType<typeof prepareWordChecks>

const MAX_LISTED = 1_000
const EXCERPT_LENGTH = 200
const CONTEXT_LENGTH = 40

/** Glossary and sensitive words, made ready once for any number of inspections. */
export function prepareWordChecks({ glossary, sensitiveWords }: Pick<QualityLists, 'glossary' | 'sensitiveWords'>) {
  const forms = glossary.flatMap(({ forms: each }, term) => each.map((form) => ({ form, term })))
  return {
    glossary,
    sensitiveWords,
    /** The number of the term to which each form of the glossary belongs. */
    termOfForm: forms.map(({ term }) => term),
    forms: createWordMatcher(forms.map(({ form }) => form)),
    sensitive: createWordMatcher(sensitiveWords.map(({ word }) => word)),
  }
}

/**
 * Runs every check over chunks that are added one after the other; about 2 KB of memory a chunk.
 *
 * @param words the analyser's words of a text, in order.
 */
export function createInspector(checks: WordChecks, words: (text: string) => string[]) {
  const duplicates = createDuplicateFinder()
  const conflicts = createConflictFinder(words)
  const terms = createTermCounter(checks)
  const sensitiveHits: Inspection['sensitiveHits'] = []
  const references: ChunkReference[] = []
  const excerpts: string[] = []
  const inScope: boolean[] = []

  return {
    add(chunk: InspectedChunk): void {
      const reference = { chunkId: chunk.chunkId, docId: chunk.docId, source: chunk.source }
      references.push(reference)
      inScope.push(chunk.inScope)
      excerpts.push(chunk.inScope ? chunk.content.slice(0, CONTEXT_LENGTH) : '')
      duplicates.add(wordsOf(chunk.features))
      conflicts.add(chunk)
      if (!chunk.inScope) return
      const text = textOf(chunk)
      const folded = foldText(text)
      terms.add(folded)
      for (const match of distinct(checks.sensitive.find(folded))) {
        if (sensitiveHits.length === MAX_LISTED) break
        const { word, category } = checks.sensitiveWords[match.word]!
        sensitiveHits.push({ chunk: reference, word, category, excerpt: around(text, match) })
      }
    },

    finish(): Inspection {
      const found = inTheirScope(duplicates.find(), inScope)
      return {
        totalChunks: inScope.filter(Boolean).length,
        duplicateCount: found.length,
        duplicates: found.slice(0, MAX_LISTED).map(({ chunk, duplicateOf, similarity }) => ({
          chunk: references[chunk]!,
          duplicateOf: references[duplicateOf]!,
          similarity,
          excerpt: excerpts[chunk]!,
        })),
        terms: terms.counts(),
        sensitiveHits,
        conflicts: conflicts
          .find()
          .filter(({ a, b }) => inScope[a] || inScope[b])
          .slice(0, MAX_LISTED)
          .map(({ a, b, kind, sentenceA, sentenceB }) => ({
            a: references[a]!,
            b: references[b]!,
            kind,
            excerptA: sentenceA.slice(0, EXCERPT_LENGTH),
            excerptB: sentenceB.slice(0, EXCERPT_LENGTH),
          })),
      }
    },
  }
}

/** Parted by more than white space, so that no word is found across two parts. */
function textOf({ title, headingPath, question, content }: InspectedChunk): string {
  return [title, ...headingPath, question, content].filter(Boolean).join(' / ')
}

function wordsOf(features: Uint8Array): Uint32Array {
  const { question, content } = decodeFeatures(features)
  const all = new Uint32Array(question.length + content.length)
  all.set(question)
  all.set(content, question.length)
  return all
}

/** A chunk in scope that is older than its copy outside is named as well. */
function inTheirScope(duplicates: readonly Duplicate[], inScope: readonly boolean[]): Duplicate[] {
  const named = new Set<number>()
  return duplicates.flatMap(({ chunk, duplicateOf, similarity }) => {
    if (inScope[chunk]) return [{ chunk, duplicateOf, similarity }]
    if (!inScope[duplicateOf] || named.has(duplicateOf)) return []
    named.add(duplicateOf)
    return [{ chunk: duplicateOf, duplicateOf: chunk, similarity }]
  })
}

/** A word is reported once a chunk. */
function distinct(matches: readonly WordMatch[]): WordMatch[] {
  return [...new Map(matches.toReversed().map((match) => [match.word, match])).values()].reverse()
}

function around(text: string, { start, end }: WordMatch): string {
  const excerpt = text.slice(Math.max(0, start - CONTEXT_LENGTH), end + CONTEXT_LENGTH)
  return excerpt.replace(/\s+/g, ' ').trim().toWellFormed()
}

/** Counts each term once a chunk, whichever and however many of its forms occur. */
function createTermCounter({ glossary, forms, termOfForm }: WordChecks) {
  const hits = glossary.map(() => 0)
  return {
    add(text: FoldedText): void {
      if (glossary.length === 0) return
      for (const term of new Set(forms.find(text).map(({ word }) => termOfForm[word]!))) hits[term]! += 1
    },
    counts: () => glossary.map(({ term }, i) => ({ term, hits: hits[i]! })),
  }
}
