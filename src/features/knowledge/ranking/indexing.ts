import type { Analyser } from '../../../ai/analysis/analyser.ts'
import { type ChunkText, headingText } from './chunk-features.ts'

/** How often the terms of a chunk's question count in the lexical index. */
const QUESTION_REPETITIONS = 2
/** How often a chunk's question stands in the text that is embedded: beside a long answer it would hardly count. */
const EMBEDDED_QUESTIONS = 3

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
  const questions = Array.from({ length: EMBEDDED_QUESTIONS }, () => chunk.question)
  return [headingText(chunk), ...questions, chunk.content].filter(Boolean).join('\n')
}
