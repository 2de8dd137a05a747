import { DIMENSIONS } from '../../../../ai/embedder/vectors/format.ts'
import { meaningOf } from '../../../../ai/embedder/vectors/store.ts'
import type { Analyser } from '../../../../language/words/analyser.ts'
import { hashTerm } from '../../../../language/words/hash-term.ts'
import { isStopWord } from '../../../../language/words/stop-words.ts'
import { QUESTION_TYPES, type QuestionType, questionType } from './question-type.ts'

/** Changes whenever the same chunk would get other features; stored features of another revision must be made again. */
export const FEATURES_REVISION = 5

/** The parts of a chunk that retrieval looks at. `question` is set for question-and-answer pairs, whose answer is `content`. */
export type ChunkText = { title: string; headingPath: readonly string[]; question: string | null; content: string }

/** A chunk's words as hashes, in order, per field, and what its question asks for. */
export type ChunkFeatures = {
  readonly type: QuestionType
  readonly heading: Uint32Array
  /** The words of the heading right above the chunk, or of the title where there is none: the end of `heading`. Empty without either. */
  readonly topic: Uint32Array
  readonly question: Uint32Array
  readonly content: Uint32Array
  /** Meaning of the question or the heading right above, and of the passage with them; null for features of another revision. */
  readonly meanings: { readonly topic: Meaning; readonly whole: Meaning } | null
}

/** A vector of about length 1 as bytes. */
export type Meaning = { readonly scale: number; readonly values: Int8Array }

const MAX_HEADING_WORDS = 64
const MAX_QUESTION_WORDS = 64
const MAX_CONTENT_WORDS = 600
/** Revision and question type (a byte each), numbers of heading, question and topic words (two bytes each). */
const HEADER_BYTES = 8
const NO_WORDS = new Uint32Array()
/** How often the terms of a chunk's question count in the lexical index. */
const QUESTION_REPETITIONS = 2
/** How often a chunk's question stands in the text that is embedded: beside a long answer it would hardly count. */
const EMBEDDED_QUESTIONS = 3
/** How often it counts in what the whole means, and the words of the content that do: more would drown what it is about. */
const MEANT_QUESTIONS = 2
const MEANT_CONTENT_WORDS = 100
const MEANING_BYTES = 4 + DIMENSIONS
/** Where the hashes of the words begin. */
const WORDS_AT = HEADER_BYTES + 2 * MEANING_BYTES
const NO_WORD_LIST: readonly string[] = []
const NO_TEXT = { terms: NO_WORD_LIST, words: NO_WORD_LIST }

/** A chunk as its indexes take it. */
export interface AnalysedChunk {
  /** Terms that `indexTerms` makes of it, joined by blanks. */
  searchText: string
  /** Features that `encodeFeatures` makes of it. */
  features: Uint8Array
}

/** Analyses a chunk once, at ingestion, so that ranking never has to analyse a chunk's text. Store the result beside the chunk. */
export function analyseChunk(chunk: ChunkText, analyser: Pick<Analyser, 'document' | 'headings'>): AnalysedChunk {
  const headings = analyser.headings(headingsOf(chunk))
  const question = chunk.question ? analyser.document(chunk.question) : NO_TEXT
  const content = analyser.document(chunk.content)
  const repeated = Array.from({ length: QUESTION_REPETITIONS }, () => question.terms)
  const terms = [headings.terms, ...repeated, tellingOf(content.terms)]
  return {
    searchText: terms
      .filter(({ length }) => length > 0)
      .map((some) => some.join(' '))
      .join(' '),
    features: encodeWords({ headings: headings.words, question: question.words, content: content.words }),
  }
}

/** A question of stop words alone is answered by what it is about, the heading or question that says so, not by every text. */
function tellingOf(terms: readonly string[]): string[] {
  const telling = terms.filter((term) => !isStopWord(term))
  return telling.length > 0 ? telling : [...terms]
}

/** The features alone, of a chunk that is not to be indexed. */
export function encodeFeatures(chunk: ChunkText, analyser: Pick<Analyser, 'words'>): Uint8Array {
  return encodeWords({
    headings: headingsOf(chunk).map((part) => analyser.words(part)),
    question: analyser.words(chunk.question ?? ''),
    content: analyser.words(chunk.content),
  })
}

interface ChunkWords {
  /** Of each heading, the outermost first. */
  headings: readonly (readonly string[])[]
  question: readonly string[]
  content: readonly string[]
}

function encodeWords({ headings, ...words }: ChunkWords): Uint8Array {
  const heading = headings.flat().slice(-MAX_HEADING_WORDS)
  const question = words.question.slice(0, MAX_QUESTION_WORDS)
  const content = words.content.slice(0, MAX_CONTENT_WORDS)
  const topic = headings.at(-1) ?? NO_WORD_LIST
  const hashed = [heading, question, content]
  const count = hashed.reduce((sum, { length }) => sum + length, 0)
  const bytes = new DataView(new ArrayBuffer(WORDS_AT + 4 * count))
  bytes.setUint8(0, FEATURES_REVISION)
  bytes.setUint8(1, QUESTION_TYPES.indexOf(questionType(question)))
  bytes.setUint16(2, heading.length, true)
  bytes.setUint16(4, question.length, true)
  bytes.setUint16(6, Math.min(heading.length, topic.length), true)
  const asked = Array.from({ length: MEANT_QUESTIONS }, () => question).flat()
  const about = [...heading, ...asked, ...content.slice(0, MEANT_CONTENT_WORDS)]
  putMeaning(bytes, HEADER_BYTES, meaningOf(question.length > 0 ? question : topic))
  putMeaning(bytes, HEADER_BYTES + MEANING_BYTES, meaningOf(about))
  let at = WORDS_AT
  for (const some of hashed) {
    for (const word of some) {
      bytes.setUint32(at, hashTerm(word), true)
      at += 4
    }
  }
  return new Uint8Array(bytes.buffer)
}

function putMeaning(bytes: DataView, at: number, vector: Float32Array): void {
  let largest = 0
  for (let d = 0; d < DIMENSIONS; d++) largest = Math.max(largest, Math.abs(vector[d]!))
  const scale = largest / 127
  bytes.setFloat32(at, scale, true)
  if (scale > 0) for (let d = 0; d < DIMENSIONS; d++) bytes.setInt8(at + 4 + d, Math.round(vector[d]! / scale))
}

/** Reads what `encodeFeatures` wrote; features of another revision, about to be made again, read as those of an empty chunk. */
export function decodeFeatures(encoded: Uint8Array): ChunkFeatures {
  const start = WORDS_AT
  if (encoded.length < start || encoded[0] !== FEATURES_REVISION) {
    return { type: 'none', heading: NO_WORDS, topic: NO_WORDS, question: NO_WORDS, content: NO_WORDS, meanings: null }
  }
  const aligned = encoded.byteOffset % 4 === 0 ? encoded : encoded.slice()
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset + start, (aligned.length - start) >> 2)
  const questionStart = encoded[2]! | (encoded[3]! << 8)
  const contentStart = questionStart + (encoded[4]! | (encoded[5]! << 8))
  const topicStart = questionStart - (encoded[6]! | (encoded[7]! << 8))
  return {
    type: QUESTION_TYPES[encoded[1]!] ?? 'none',
    heading: words.subarray(0, questionStart),
    topic: words.subarray(topicStart, questionStart),
    question: words.subarray(questionStart, contentStart),
    content: words.subarray(contentStart),
    meanings: decodeMeanings(aligned),
  }
}

/** The meanings alone, which are wanted of many more chunks than the words. */
export function decodeMeanings(encoded: Uint8Array): ChunkFeatures['meanings'] {
  const { buffer, byteOffset, length } = encoded
  if (length < WORDS_AT || encoded[0] !== FEATURES_REVISION) return null
  const view = new DataView(buffer, byteOffset + HEADER_BYTES, 2 * MEANING_BYTES)
  const meaningAt = (at: number): Meaning => ({
    scale: view.getFloat32(at, true),
    values: new Int8Array(buffer, byteOffset + HEADER_BYTES + at + 4, DIMENSIONS),
  })
  return { topic: meaningAt(0), whole: meaningAt(MEANING_BYTES) }
}

/** The title and the headings above a chunk, each once. */
function headingText(chunk: ChunkText): string {
  return headingsOf(chunk).join('\n')
}

function headingsOf({ title, headingPath, question }: ChunkText): string[] {
  return [...new Set([...titleOf(title), ...headingPath])].filter((part) => part !== question)
}

/** A title that is a number comes from the name of a file and says nothing: a 19 in a question does not ask for 19.md. */
function titleOf(title: string): string[] {
  return /\p{L}{2}/u.test(title) ? [title] : []
}

/**
 * The terms under which a chunk is found, to be stored joined by blanks and indexed with the `simple` configuration.
 * A pair's question is what customers' questions resemble most, so its terms count more than once.
 */
export function indexTerms(chunk: ChunkText, analyser: Pick<Analyser, 'document'>): string[] {
  const heading = analyser.document(headingText(chunk)).terms
  const question = chunk.question ? analyser.document(chunk.question).terms : []
  const repeated = Array.from({ length: QUESTION_REPETITIONS }, () => question).flat()
  return [...heading, ...repeated, ...tellingOf(analyser.document(chunk.content).terms)]
}

/** The text whose vector stands for a chunk. */
export function embeddingText(chunk: ChunkText): string {
  const questions = Array.from({ length: EMBEDDED_QUESTIONS }, () => chunk.question)
  return [headingText(chunk), ...questions, chunk.content].filter(Boolean).join('\n')
}
