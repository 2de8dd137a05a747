import { detectLanguage } from '../../../language/languages.ts'
import { splitSentences } from '../../../language/sentences.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import { phrasesFor } from './phrases.ts'
import { isSolution } from './source-names.ts'

/** The part of the analyser that choosing sentences needs. */
export interface TermSplitter {
  queryTerms(text: string): string[]
  documentTerms(text: string): string[]
}

export interface ExtractiveAnswer {
  text: string
  /** The passages that the text was taken from, best first. */
  used: SearchHit[]
}

/** Passages up to this many characters are given whole: cutting them saves nothing and may lose the condition. */
const WHOLE_PASSAGE_CHARACTERS = 600
const MAX_SENTENCES = 4
const MAX_ROWS = 3
const MAX_ANSWER_CHARACTERS = 1_200

/**
 * Writes an answer with the words of the best passages and names where they stand. A matched question-and-answer pair
 * answers with its answer, a short passage with all of it, a long one with the sentences that answer and those between.
 * `hits` are sorted and not empty.
 */
export function composeExtractive(
  question: string,
  hits: readonly SearchHit[],
  language: string,
  terms: TermSplitter,
): ExtractiveAnswer {
  const best = generalRule(question, hits, terms)
  const used = [best, ...continuations(best, hits)]
  const body = used.map((hit) => excerpt(question, hit, terms)).join('\n\n')
  const phrases = phrasesFor(language)
  const notice = speaksOther(body, language) ? `${phrases.otherLanguage}\n` : ''
  return { text: `${notice}${clip(body)}\n\n${phrases.source}${citation(best, phrases.supportAnswer)}`, used }
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

/** `returns.md › Returns › Electronics, page 3` */
function citation({ source: id, title, headingPath, question, page }: SearchHit, supportAnswer: string): string {
  const source = isSolution(id) ? supportAnswer : id
  const places = [...new Set([title, ...headingPath, question ?? ''])].filter(
    (place) => place !== '' && place !== source,
  )
  return [source, ...places].join(' › ') + (page === null ? '' : `, ${page}`)
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

function excerpt(question: string, hit: SearchHit, terms: TermSplitter): string {
  if (hit.kind === 'table' && hit.question === null) return answeringRows(question, hit.content, terms)
  const whole = hit.question !== null || hit.kind !== 'text' || hit.content.length <= WHOLE_PASSAGE_CHARACTERS
  return whole ? hit.content : answeringSentences(question, hit.content, terms)
}

/** The rows of a table that hold what is asked for, each value with its column's name; the whole table when none stands out. */
function answeringRows(question: string, content: string, terms: TermSplitter): string {
  const [header = '', ...rows] = content.split('\n').filter((line) => line.trim() !== '')
  const names = cells(header)
  const wanted = new Set(terms.queryTerms(question)).difference(new Set(terms.documentTerms(header)))
  const weights = rows.map((row) => new Set(terms.documentTerms(row)).intersection(wanted).size)
  const most = Math.max(0, ...weights)
  const chosen = rows.filter((_, i) => weights[i] === most)
  if (most === 0 || chosen.length > MAX_ROWS || names.length < 2) return content
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

/** The run of sentences that holds most of the question's terms; the text between two of them is kept. */
function answeringSentences(question: string, content: string, terms: TermSplitter): string {
  const wanted = new Set(terms.queryTerms(question))
  const sentences = splitSentences(content)
  const weights = sentences.map((sentence) => new Set(terms.documentTerms(sentence)).intersection(wanted).size)
  let best = { start: 0, length: 1, weight: -1 }
  for (let start = 0; start < sentences.length; start++) {
    let weight = 0
    for (let length = 1; length <= MAX_SENTENCES && start + length <= sentences.length; length++) {
      weight += weights[start + length - 1] ?? 0
      // Longer runs must earn their length.
      if (weight - 0.5 * length > best.weight) best = { start, length, weight: weight - 0.5 * length }
    }
  }
  const chosen = sentences.slice(best.start, best.start + best.length)
  return chosen.join(/\p{Script=Han}/u.test(content) ? '' : ' ')
}

function clip(text: string): string {
  if (text.length <= MAX_ANSWER_CHARACTERS) return text
  const cut = splitSentences(text.slice(0, MAX_ANSWER_CHARACTERS)).slice(0, -1)
  const end =
    cut.length > 0 ? text.indexOf(cut.at(-1) as string) + (cut.at(-1) as string).length : MAX_ANSWER_CHARACTERS
  return `${text.slice(0, end)} …`
}

function speaksOther(text: string, language: string): boolean {
  const found = detectLanguage(text)
  return found !== 'und' && found !== language && (language === 'zh' || language === 'en')
}
