import type { Analyser } from '../../../ai/analysis/analyser.ts'
import { hashTerm } from './hash.ts'

/** Changes whenever the same chunk would get other features; stored features of another revision must be made again. */
export const FEATURES_REVISION = 1

/** The parts of a chunk that retrieval looks at. `question` is set for question-and-answer pairs, whose answer is `content`. */
export type ChunkText = { title: string; headingPath: readonly string[]; question: string | null; content: string }

/** A chunk's words as hashes, in order, per field. */
export type ChunkFeatures = { heading: Uint32Array; question: Uint32Array; content: Uint32Array }

const MAX_HEADING_WORDS = 64
const MAX_QUESTION_WORDS = 64
const MAX_CONTENT_WORDS = 600

/** Analyses a chunk once, at ingestion, so that ranking never has to analyse a chunk's text. Store the result beside the chunk. */
export function encodeFeatures(chunk: ChunkText, analyser: Analyser): Uint8Array {
  const heading = hashes(headingText(chunk), MAX_HEADING_WORDS, analyser)
  const question = hashes(chunk.question ?? '', MAX_QUESTION_WORDS, analyser)
  const content = hashes(chunk.content, MAX_CONTENT_WORDS, analyser)
  const bytes = new DataView(new ArrayBuffer(4 + 4 * (heading.length + question.length + content.length)))
  bytes.setUint16(0, heading.length, true)
  bytes.setUint16(2, question.length, true)
  ;[...heading, ...question, ...content].forEach((hash, i) => {
    bytes.setUint32(4 + 4 * i, hash, true)
  })
  return new Uint8Array(bytes.buffer)
}

/** Reads what `encodeFeatures` wrote. */
export function decodeFeatures(encoded: Uint8Array): ChunkFeatures {
  const copy = encoded.slice()
  const lengths = new Uint16Array(copy.buffer, 0, 2)
  const hashed = new Uint32Array(copy.buffer, 4)
  const questionStart = lengths[0]!
  const contentStart = questionStart + lengths[1]!
  return {
    heading: hashed.subarray(0, questionStart),
    question: hashed.subarray(questionStart, contentStart),
    content: hashed.subarray(contentStart),
  }
}

/** The title and the headings above a chunk, each once. */
export function headingText(chunk: ChunkText): string {
  return [...new Set([chunk.title, ...chunk.headingPath])].filter((part) => part !== chunk.question).join('\n')
}

function hashes(text: string, limit: number, analyser: Analyser): number[] {
  return analyser.words(text).slice(0, limit).map(hashTerm)
}
