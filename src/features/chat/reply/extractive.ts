import { detectLanguage } from '../../../language/languages.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import { answeringExcerpt, longest, shortened } from './excerpt.ts'
import { phrasesFor } from './phrases.ts'
import type { TermSplitter } from './piece.ts'
import { isSolution } from './source-names.ts'

export interface ExtractiveAnswer {
  text: string
  /** The passages that the text was taken from, best first. */
  used: SearchHit[]
  /** The text that follows and was left out for its length; '' where none was. */
  rest: string
}

const MAX_ROWS = 3

/** Characters that the excerpts of one reply have together. */
export const ROOM = 800
/** Where no passage is sure, the closest excerpt has so much of the room, and where two are given each so much. */
const CLOSE_SHARE = 0.6
const RIVALS_SHARE = 0.4
/** Less room holds no answer. */
const MIN_ROOM = 300
/** A second document is given where it comes as near as this share of the first. */
const RIVAL_SHARE = 0.7

/**
 * Writes an answer with the words of the best document and names where they stand. A matched question-and-answer pair
 * answers with its answer, rows of a table that hold what is asked for with these, anything else with the section that
 * answers. `hits` are sorted and not empty; `room`: characters.
 */
export function composeExtractive(
  question: string,
  hits: readonly SearchHit[],
  language: string,
  terms: TermSplitter,
  room = ROOM,
): ExtractiveAnswer {
  const { text, used, rest } = excerptFrom(question, hits, language, terms, room)
  const { more, source, supportAnswer } = phrasesFor(language)
  const goesOn = rest === '' ? '' : `\n\n${more}`
  return { text: `${text}${goesOn}\n\n${source}${citation(used[0] as SearchHit, supportAnswer)}`, used, rest }
}

function excerptFrom(
  question: string,
  hits: readonly SearchHit[],
  language: string,
  terms: TermSplitter,
  room: number,
): ExtractiveAnswer {
  const best = generalRule(question, hits, terms)
  const { text, used, rest } =
    best.question === null ? fromSection(question, best, hits, terms, room) : fromPair(best, hits, room)
  const notice = speaksOther(text, language) ? `${phrasesFor(language).otherLanguage}\n` : ''
  return { text: `${notice}${text}`, used, rest }
}

/**
 * Where no document is sure, what comes nearest: an excerpt of the best, and one of the next where that comes nearly as
 * near and there is room for both. Half of the questions that have no sure answer are answered by the second.
 */
export function composeClosest(
  question: string,
  hits: readonly SearchHit[],
  language: string,
  terms: TermSplitter,
  room = ROOM,
): ExtractiveAnswer {
  const { docId, title } = generalRule(question, hits, terms)
  const others = hits.filter((hit) => hit.docId !== docId && hit.title !== title)
  const isRival = (others[0]?.score ?? 0) >= RIVAL_SHARE * (hits[0]?.score ?? 0)
  const each = Math.round(room * RIVALS_SHARE)
  if (!isRival || each < MIN_ROOM)
    return composeExtractive(question, hits, language, terms, Math.max(MIN_ROOM, Math.round(room * CLOSE_SHARE)))
  const { orPerhaps, source, supportAnswer } = phrasesFor(language)
  const [first, second] = [hits, others].map((from) => excerptFrom(question, from, language, terms, each)) as [
    ExtractiveAnswer,
    ExtractiveAnswer,
  ]
  const [one, other] = [first, second].map(
    ({ text, used }) => `${text}\n\n${source}${citation(used[0] as SearchHit, supportAnswer)}`,
  )
  return { text: `${one}\n\n${orPerhaps}\n${other}`, used: [...first.used, ...second.used], rest: first.rest }
}

function fromPair(best: SearchHit, hits: readonly SearchHit[], room: number): ExtractiveAnswer {
  const used = [best, ...continuations(best, hits)]
  const { text, rest } = shortened(used.map(({ content }) => content).join('\n\n'), longest(room))
  return { text, used, rest }
}

function fromSection(
  question: string,
  best: SearchHit,
  hits: readonly SearchHit[],
  terms: TermSplitter,
  room: number,
): ExtractiveAnswer {
  const rows = best.kind === 'table' ? answeringRows(question, best.content, terms) : null
  if (rows !== null) return { text: rows, used: [best], rest: '' }
  const { text, rest, chunkIds } = answeringExcerpt(question, best, hits, terms, room)
  const own = [...hits, ...(best.around ?? []).map((passage) => ({ ...passage, score: best.score }))]
  const used = own.filter(
    (hit, i) => chunkIds.has(hit.chunkId) && own.findIndex((one) => one.chunkId === hit.chunkId) === i,
  )
  return { text, used: used.length > 0 ? used : [best], rest }
}

/**
 * The best passage; or the one that stands above it, where the best is a special case (furniture, members) that the
 * question does not name.
 */
function generalRule(question: string, hits: readonly SearchHit[], terms: TermSplitter): SearchHit {
  const best = hits[0] as SearchHit
  if (best.headingPath.length < 2 || best.question !== null) return best
  const above = best.headingPath.slice(0, -1)
  const general = hits.find(
    (hit) => hit.docId === best.docId && hit.question === null && isSame(hit.headingPath, above),
  )
  if (!general) return best
  const own = termsOf(best, terms).difference(termsOf(general, terms))
  return own.isDisjointFrom(new Set(terms.queryTerms(question))) ? general : best
}

function termsOf({ title, headingPath, content }: SearchHit, terms: TermSplitter): Set<string> {
  return new Set(terms.documentTerms([title, ...headingPath, content].join('\n')))
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length > 0 && a.length === b.length && a.every((heading, i) => heading === b[i])
}

/** `Returns › Electronics, 3`: titles and never paths, which say nothing to a customer. */
function citation({ source, title, headingPath, question, page }: SearchHit, supportAnswer: string): string {
  const places = [isSolution(source) ? supportAnswer : '', title, ...headingPath, question ?? '']
  return [...new Set(places)].filter((place) => place !== '').join(' › ') + (page === null ? '' : `, ${page}`)
}

/** The rest of an answer that was cut into several chunks of one question. */
function continuations(best: SearchHit, hits: readonly SearchHit[]): SearchHit[] {
  if (best.question === null) return []
  return hits
    .filter((hit) => hit !== best && hit.docId === best.docId && hit.question === best.question)
    .sort((a, b) => a.chunkId - b.chunkId)
    .filter((hit) => hit.chunkId > best.chunkId)
    .slice(0, 1)
}

/** The rows of a table that hold what is asked for, each value with its column's name; null when none stands out. */
function answeringRows(question: string, content: string, terms: TermSplitter): string | null {
  const [header = '', ...rows] = content.split('\n').filter((line) => line.trim() !== '')
  const names = cells(header)
  const wanted = new Set(terms.queryTerms(question)).difference(new Set(terms.documentTerms(header)))
  const weights = rows.map((row) => new Set(terms.documentTerms(row)).intersection(wanted).size)
  const most = Math.max(0, ...weights)
  const chosen = rows.filter((_, i) => weights[i] === most)
  if (most === 0 || chosen.length > MAX_ROWS || names.length < 2) return null
  return chosen
    .map((row) =>
      cells(row)
        .map((value, i) => labelled(names[i], value))
        .join('\n'),
    )
    .join('\n\n')
}

function cells(row: string): string[] {
  return row.split(' | ').map((cell) => cell.trim())
}

function labelled(name: string | undefined, value: string): string {
  return name ? `${name}: ${value}` : value
}

function speaksOther(text: string, language: string): boolean {
  const found = detectLanguage(text)
  return found !== 'und' && found !== language && (language === 'zh' || language === 'en')
}
