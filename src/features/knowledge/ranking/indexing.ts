import type { Analyser } from '../../../ai/analysis/analyser.ts'
import { type ChunkText, headingText } from './chunk-features.ts'

/** How often the terms of a chunk's question count in the lexical index. */
const QUESTION_REPETITIONS = 2

/**
 * The terms under which a chunk is found, to be stored joined by blanks and indexed with the `simple` configuration.
 * A pair's question is what customers' questions resemble most, so its terms count more than once.
 */
export function indexTerms(chunk: ChunkText, analyser: Analyser): string[] {
  const heading = analyser.documentTerms(headingText(chunk))
  const question = chunk.question ? analyser.documentTerms(chunk.question) : []
  const repeated = Array.from({ length: QUESTION_REPETITIONS }, () => question).flat()
  return [...heading, ...repeated, ...analyser.documentTerms(chunk.content)]
}

/** The text whose vector stands for a chunk. */
export function embeddingText(chunk: ChunkText): string {
  return [headingText(chunk), chunk.question, chunk.content].filter(Boolean).join('\n')
}
