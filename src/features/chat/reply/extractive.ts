import type { SearchHit } from '../../knowledge/index.ts'
import { answeringExcerpt, longest, shortened } from './excerpt.ts'
import { readableIn, speaksOther } from './other-language.ts'
import { overviewOf } from './overview.ts'
import { phrasesFor } from './phrases.ts'
import { contentWords, type TermSplitter } from './piece.ts'
import { headingOf } from './section.ts'
import { isSolution } from './source-names.ts'
import { circled } from './suggestions.ts'

export interface ExtractiveAnswer {
  text: string
  /** The passages that the text was taken from, best first. */
  used: SearchHit[]
  /** The text that follows and was left out for its length; '' where none was. */
  rest: string
}

interface Part extends ExtractiveAnswer {
  /** The heading that the text stands under, or the question that it answers; '' where none is. */
  heading: string
}

const MAX_ROWS = 3

/** Characters that the excerpts of one reply have together. */
export const ROOM = 800
/** Where no passage is sure, the closest excerpt has so much of the room, and where others are given beside it so much. */
const CLOSE_SHARE = 0.6
const RIVAL_SHARES = [0.375, 0.165, 0.165] as const
/** Less room holds no answer. */
const MIN_ROOM = 300
/** Another document is given where it comes as near as this share of the first. */
const RIVAL_SCORE = 0.5

/**
 * Writes an answer with the words of the best document and names where they stand. A matched question-and-answer pair
 * answers with its answer, rows of a table that hold what is asked for with these, a question that several sections answer
 * alike with these, anything else with the section that answers. `hits` are sorted and not empty; `room`: characters.
 */
export function composeExtractive(
  question: string,
  hits: readonly SearchHit[],
  language: string,
  terms: TermSplitter,
  room = ROOM,
): ExtractiveAnswer {
  const overview = overviewOf(contentWords(question, terms), hits, terms, room)
  if (overview && !speaksOther(overview.text, language)) {
    const page = { ...(overview.used[0] as SearchHit), headingPath: [], page: null }
    return { text: `${overview.text}\n\n${citation(page, language)}`, used: overview.used, rest: '' }
  }
  const { text, used, rest } = excerptFrom(question, hits, language, terms, room)
  const goesOn = rest === '' ? '' : `\n\n${phrasesFor(language).more}`
  return { text: `${text}${goesOn}\n\n${citation(used[0] as SearchHit, language)}`, used, rest }
}

function excerptFrom(
  question: string,
  hits: readonly SearchHit[],
  language: string,
  terms: TermSplitter,
  room: number,
): Part {
  const best = generalRule(question, hits, terms)
  const part = best.question === null ? fromSection(question, best, hits, terms, room) : fromPair(best, hits, room)
  const notice = speaksOther(part.text, language) ? `${phrasesFor(language).otherLanguage}\n` : ''
  return { ...part, text: `${notice}${part.text}` }
}

/**
 * Where no document is sure, what comes nearest: an excerpt of the best alone, or, where others come nearly as near and
 * there is room, numbered excerpts of three, each under its heading. A third of the questions that have no sure answer are
 * answered by the second or third.
 */
export function composeClosest(
  question: string,
  hits: readonly SearchHit[],
  language: string,
  terms: TermSplitter,
  room = ROOM,
): ExtractiveAnswer {
  const { closest, closestOf } = phrasesFor(language)
  const rivals = rivalsAmong(readableIn(hits, language), generalRule(question, hits, terms))
  const rooms = RIVAL_SHARES.map((share) => Math.round(room * share))
  if (rivals.length < 2 || rooms[0]! < MIN_ROOM) {
    const few = Math.max(MIN_ROOM, Math.round(room * CLOSE_SHARE))
    const { text, ...rest } = composeExtractive(question, hits, language, terms, few)
    return { text: `${closest}\n${text}`, ...rest }
  }
  const found = rivals.map((from, i) => excerptFrom(question, from, language, terms, rooms[i] as number))
  const numbered = found.map(({ text, heading, used: [first] }, i) => {
    const lead = heading || (first as SearchHit).title
    return `${circled(i)} ${lead}\n${text}\n\n${citation(first as SearchHit, language, lead)}`
  })
  return {
    text: `${closestOf}\n${numbered.join('\n\n')}`,
    used: found.flatMap(({ used }) => used),
    rest: found[0]?.rest ?? '',
  }
}

/** The hits from which each of the nearest documents is excerpted, `best` first. */
function rivalsAmong(hits: readonly SearchHit[], best: SearchHit): (readonly SearchHit[])[] {
  const rivals: (readonly SearchHit[])[] = [hits]
  const given = [best]
  for (const hit of hits) {
    if (rivals.length === RIVAL_SHARES.length || hit.score < RIVAL_SCORE * (hits[0]?.score ?? 0)) break
    if (given.some(({ docId, title }) => docId === hit.docId || title === hit.title)) continue
    given.push(hit)
    rivals.push(hits.filter(({ docId }) => docId === hit.docId))
  }
  return rivals
}

function fromPair(best: SearchHit, hits: readonly SearchHit[], room: number): Part {
  const used = [best, ...continuations(best, hits)]
  const { text, rest } = shortened(used.map(({ content }) => content).join('\n\n'), longest(room))
  return { text, heading: best.question ?? '', used, rest }
}

function fromSection(
  question: string,
  best: SearchHit,
  hits: readonly SearchHit[],
  terms: TermSplitter,
  room: number,
): Part {
  const rows = best.kind === 'table' ? answeringRows(question, best.content, terms) : null
  if (rows !== null) return { text: rows, heading: headingOf(best), used: [best], rest: '' }
  const { text, heading, rest, chunkIds } = answeringExcerpt(question, best, hits, terms, room)
  const own = [...hits, ...(best.around ?? []).map((passage) => ({ ...passage, score: best.score }))]
  const used = own.filter(
    (hit, i) => chunkIds.has(hit.chunkId) && own.findIndex((one) => one.chunkId === hit.chunkId) === i,
  )
  return { text, heading, used: used.length > 0 ? used : [best], rest }
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

/** `Source: Returns › Electronics, 3`: titles and never paths, which say nothing to a customer; nor what was said. */
function citation(
  { source, title, headingPath, question, page, url }: SearchHit,
  language: string,
  said: string | null = null,
): string {
  const phrases = phrasesFor(language)
  const places = [isSolution(source) ? phrases.supportAnswer : '', title, ...headingPath, question ?? '']
  const named = [...new Set(places)].filter((place) => place !== '' && place !== said)
  return phrases.source + (named.join(' › ') || title) + (page === null ? '' : `, ${page}`) + (url ? ` ${url}` : '')
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
