import type { SearchHit } from '../../knowledge/index.ts'
import { longest, shortened } from './excerpt.ts'
import type { TermSplitter } from './piece.ts'
import { headingOf } from './section.ts'

/** Sections of one document, each under its heading, that answer a question together. */
export interface Overview {
  text: string
  /** Best first. */
  used: SearchHit[]
}

/** So many sections make an overview; two may as well be a rule and its exception. */
const MIN_SECTIONS = 3
/** A section answers as well as the best where it scores so large a share of it. */
const AS_WELL = 0.5
/** No section takes more of the room than this. */
const MOST_OF_ROOM = 0.4

/**
 * "What are your opening hours?" is answered by what a page says of the chat, the telephone and the store, and by none of
 * them alone. Null where one of their headings holds a word of the question, where they share a word of it and another stands
 * in one alone ("shipping to Singapore"), or where few come near the best.
 * `hits` are sorted and not empty; `asked`: the words that the question is about; `room`: characters.
 */
export function overviewOf(
  asked: readonly string[],
  hits: readonly SearchHit[],
  terms: TermSplitter,
  room: number,
): Overview | null {
  const best = hits[0] as SearchHit
  if (asked.length === 0 || best.question !== null) return null
  const isNear = ({ docId, version, question, score }: SearchHit): boolean =>
    docId === best.docId && version === best.version && question === null && score >= AS_WELL * best.score
  const sections = [...Map.groupBy(hits.filter(isNear), headingOf)].filter(([heading]) => heading !== '')
  if (sections.length < MIN_SECTIONS) return null
  const named = new Set(sections.flatMap(([heading]) => terms.documentTerms(heading)))
  if (asked.some((word) => named.has(word))) return null
  const said = sections.map(([, found]) => new Set(found.flatMap(({ content }) => terms.documentTerms(content))))
  const holders = asked.map((word) => said.filter((words) => words.has(word)).length)
  if (holders.includes(1) && holders.some((count) => count > 1)) return null
  const chosen: { first: SearchHit; text: string }[] = []
  let length = 0
  for (const [heading, [first]] of sections as [string, [SearchHit]][]) {
    const text = `${heading}\n${shortened(first.content, Math.round(room * MOST_OF_ROOM)).text}`
    if (length + text.length > longest(room)) break
    chosen.push({ first, text })
    length += text.length
  }
  const inOrder = chosen.toSorted((a, b) => a.first.ordinal - b.first.ordinal)
  return chosen.length < MIN_SECTIONS
    ? null
    : { text: inOrder.map(({ text }) => text).join('\n\n'), used: chosen.map(({ first }) => first) }
}
