import { readFileSync } from 'node:fs'
import { sentenceEnds } from '../../../language/sentences.ts'
import { isStopWord } from '../../../language/words/stop-words.ts'
import {
  isQuestionWord,
  type QuestionType,
  questionType,
  type SearchHit,
  withoutQuantities,
} from '../../knowledge/index.ts'
import { announces, type Block, headingOf, type Section, startsWith } from './section.ts'

/** The parts of the analyser and the vectors that choosing what answers needs. */
export interface TermSplitter {
  queryTerms(text: string): string[]
  documentTerms(text: string): string[]
  words(text: string): string[]
  /** The meaning of words as a vector of length 1, or zeros; a question is moved towards how pages put it. */
  meaning(words: readonly string[], kind: 'question' | 'page'): Float32Array
}

/** Words that relate one thing to another ("until when"), as the analyser gives them. */
const RELATIONS = new Set('until till after befor dure within without between while'.split(' '))

/** The distinct words of a question that say what it is about. */
export function contentWords(question: string, terms: Pick<TermSplitter, 'words'>): string[] {
  const words = withoutQuantities(terms.words(question))
  return [...new Set(words)].filter((word) => !isStopWord(word) && !RELATIONS.has(word))
}

const SUBJECT_WORDS = 2

/** Whether a question says what it is about: a word alone ("at least?", "order") fits passages about anything. */
export function namesSubject(question: string, terms: Pick<TermSplitter, 'words'>): boolean {
  return contentWords(question, terms).length >= SUBJECT_WORDS
}

/** Blocks that are given together or not at all: what announces a list with the list. */
export interface Piece {
  blocks: readonly Block[]
  section: Section
  text: string
}

export const LIST_LINE = /^\s*(?:[-*•]|\d{1,2}[.)、])\s*\S/
const NUMBER = /\d|[一二两三四五六七八九十]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b/i

function isList(text: string): boolean {
  return text.split('\n').filter((line) => LIST_LINE.test(line)).length >= 2
}

/** The pieces of all sections, in order; what is longer than `longest` characters is torn into lines or sentences. */
export function piecesOf(sections: readonly Section[], longest: number): Piece[] {
  return sections.flatMap((section) =>
    bound(section.blocks)
      .flatMap((blocks) => (textOf(blocks).length > longest ? bound(torn(blocks)) : [blocks]))
      .map((blocks) => ({ blocks, section, text: textOf(blocks) })),
  )
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('\n')
}

/** Blocks together with what announces them. */
function bound(blocks: readonly Block[]): Block[][] {
  const pieces: Block[][] = []
  for (const block of blocks) {
    if (pieces.at(-1)?.at(-1)?.leadsOn) pieces.at(-1)?.push(block)
    else pieces.push([block])
  }
  return pieces
}

/** A list by its lines, a paragraph by its sentences. */
function torn(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => (block.text.includes('\n') ? linesOf(block) : sentencesOf(block)))
}

function linesOf(block: Block): Block[] {
  const lines = block.text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((text, i) => ({ ...block, text, leadsOn: announces(text), goesOn: i > 0 ? 'line' : null }))
}

function sentencesOf(block: Block): Block[] {
  const ends = sentenceEnds(block.text)
  const cuts = ends.at(-1) === block.text.length ? ends : [...ends, block.text.length]
  return cuts.map((end, i) => {
    const text = block.text.slice(cuts[i - 1] ?? 0, end)
    return { ...block, text, leadsOn: announces(text), goesOn: i > 0 ? 'sentence' : null }
  })
}

/** Signs that a piece is what answers. All but `words` and `length` lie between 0 and 1. */
export interface Features {
  /** Share of those words of the question that fewest pieces hold; up to 1.5. */
  words: number
  /** How alike the question and the piece are in meaning, beyond what the whole document is about. */
  alike: number
  /** The same of the piece and the heading above it. */
  alikeWithHeading: number
  /** The search's score of the passage, as a share of the document's best. */
  score: number
  /** Square of that score itself: a search that is sure of a passage is right. */
  certainty: number
  /** A list where the question asks how. */
  steps: number
  list: number
  /** It stands above all other sections: an introduction. */
  opening: number
  /** A number where the question asks how many, how long or when. */
  quantity: number
  /** A fifth of the logarithm of its characters. */
  length: number
}

/**
 * Log odds that a feature adds, learned on both help centres of the development sets by `node bench/lab/excerpts.ts`
 * (docs/decisions/0133-the-section-that-answers.md).
 */
export const WEIGHTS = JSON.parse(readFileSync(new URL('./piece-weights.json', import.meta.url), 'utf8')) as Features

/** A word of the question in the heading above a piece counts so much; one that stands in headings alone names a section. */
const IN_HEADING = 0.7
const NAMED = 1.5

/** Passages that score less than this share of the document's best hold no answer, and reading them costs. */
const WORTH_READING = 0.25
/** Lower than any piece that was read. */
const UNREAD = -1_000

/** How likely each piece is what answers; only their order and distances mean something. */
export function weighPieces(
  question: string,
  pieces: readonly Piece[],
  nearby: readonly Pick<SearchHit, 'chunkId' | 'score'>[],
  terms: TermSplitter,
): number[] {
  const names = Object.keys(WEIGHTS) as (keyof Features)[]
  const scores = new Map(nearby.map(({ chunkId, score }) => [chunkId, score]))
  const least = WORTH_READING * Math.max(0, ...scores.values())
  const read = pieces.filter(({ blocks }) => blocks.some(({ passage }) => (scores.get(passage.chunkId) ?? 0) >= least))
  const features = new Map(featuresOf(question, read, nearby, terms).map((found, i) => [read[i], found]))
  return pieces.map((piece) => {
    const found = features.get(piece)
    return found ? names.reduce((sum, name) => sum + WEIGHTS[name] * found[name], 0) : UNREAD
  })
}

export function featuresOf(
  question: string,
  pieces: readonly Piece[],
  nearby: readonly Pick<SearchHit, 'chunkId' | 'score'>[],
  terms: TermSplitter,
): Features[] {
  const asked = terms.words(question)
  const type = questionType(asked)
  const share = rarestWords(question, pieces, terms)
  const likeness = likenesses(asked, pieces, terms)
  const most = Math.max(...nearby.map(({ score }) => score)) || 1
  const scores = new Map(nearby.map(({ chunkId, score }) => [chunkId, score]))
  const sections = [...new Set(pieces.map(({ section }) => section))]
  return pieces.map((piece, i) => ({
    words: share[i] as number,
    ...(likeness[i] as Pick<Features, 'alike' | 'alikeWithHeading'>),
    ...scoreOf(piece, scores, most),
    ...shapeOf(piece.text, type),
    opening: isOpening(piece.section, sections) ? 1 : 0,
  }))
}

function scoreOf(
  { blocks }: Piece,
  scores: ReadonlyMap<number, number>,
  most: number,
): Pick<Features, 'score' | 'certainty'> {
  const score = Math.max(0, ...blocks.map(({ passage }) => scores.get(passage.chunkId) ?? 0))
  return { score: score / most, certainty: score ** 2 }
}

function shapeOf(text: string, type: QuestionType): Pick<Features, 'steps' | 'list' | 'quantity' | 'length'> {
  const asksNumber = type === 'how_many' || type === 'when'
  return {
    steps: type === 'how' && isList(text) ? 1 : 0,
    list: isList(text) || LIST_LINE.test(text) ? 1 : 0,
    quantity: asksNumber && NUMBER.test(text) ? 1 : 0,
    length: Math.log(1 + text.length) / 5,
  }
}

/** A section above all others: an introduction. */
function isOpening(section: Section, sections: readonly Section[]): boolean {
  const [first, ...others] = sections
  return (
    section === first &&
    others.length > 0 &&
    others.every(({ headingPath }) => startsWith(headingPath, section.headingPath))
  )
}

/**
 * How much each piece holds of those words of the question that the fewest pieces hold: they say which part is meant, all
 * the more where they stand in headings alone.
 */
function rarestWords(question: string, pieces: readonly Piece[], terms: TermSplitter): number[] {
  const wanted = [...new Set(terms.queryTerms(question))].filter((term) => !isQuestionWord(term))
  const headings = new Map(pieces.map(({ section }) => [section, new Set(terms.documentTerms(headingOf(section)))]))
  const held = pieces.map(({ text, section }) => ({
    said: new Set(terms.documentTerms(text)),
    above: headings.get(section) as Set<string>,
  }))
  const holders = wanted.map((term) => {
    const said = held.filter((words) => words.said.has(term)).length
    return { term, isSaid: said > 0, count: said || held.filter((words) => words.above.has(term)).length }
  })
  const fewest = Math.min(...holders.map(({ count }) => count).filter((count) => count > 0))
  const rarest = holders.filter(({ count }) => count === fewest)
  return held.map(({ said, above }) => {
    const worth = rarest.map(({ term, isSaid }) =>
      said.has(term) ? 1 : above.has(term) ? (isSaid ? IN_HEADING : NAMED) : 0,
    )
    return worth.reduce((sum: number, each) => sum + each, 0) / Math.max(1, rarest.length)
  })
}

function likenesses(asked: readonly string[], pieces: readonly Piece[], terms: TermSplitter) {
  const words = pieces.map(({ text }) => terms.words(text))
  const meanings = words.map((each) => terms.meaning(each, 'page'))
  const meaning = terms.meaning(asked, 'question')
  const common = meanOf(meanings, meaning.length)
  const headings = new Map<string, string[]>()
  return pieces.map(({ section }, i) => {
    const heading = headingOf(section)
    if (!headings.has(heading)) headings.set(heading, terms.words(heading))
    const together = terms.meaning([...(headings.get(heading) ?? []), ...words[i]!], 'page')
    return { alike: likeness(meaning, meanings[i]!, common), alikeWithHeading: likeness(meaning, together, common) }
  })
}

/** Meaning that pieces have in common; one more without any is imagined, so that a single piece is no commonplace. */
function meanOf(meanings: readonly Float32Array[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions)
  for (const meaning of meanings) for (let d = 0; d < dimensions; d++) sum[d]! += meaning[d]!
  return sum.map((value) => value / (meanings.length + 1))
}

/** Cosine of two meanings beyond what is common, 0 to 1. */
function likeness(a: Float32Array, b: Float32Array, common: Float32Array): number {
  let [product, first, second] = [0, 0, 0]
  for (let d = 0; d < common.length; d++) {
    const x = a[d]! - common[d]!
    const y = b[d]! - common[d]!
    product += x * y
    first += x * x
    second += y * y
  }
  return first > 0 && second > 0 ? Math.max(0, product / Math.sqrt(first * second)) : 0
}
