import { sentenceEnds } from '../../../language/sentences.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import { LIST_LINE, type Piece, piecesOf, type TermSplitter, weighPieces } from './piece.ts'
import { type Block, headingOf, sectionsOf, startsWith } from './section.ts'

/** The part of a document that answers. */
export interface Excerpt {
  text: string
  /** The nearest heading above it, '' where none stands there. */
  heading: string
  /** The text that follows it under the same heading and was left out for its length; '' where none was. */
  rest: string
  /** The passages that the text was taken from. */
  chunkIds: ReadonlySet<number>
}

/** An excerpt that ends where a piece ends may be so much longer than its room. */
const MOST = 1.22
/** A reply gives so much of a text that goes on. */
const READ_ON_CHARACTERS = 900
/** Pieces longer than this share of an excerpt are torn. */
const TORN = 0.6
/** So much is kept for "more"; nobody reads on for longer in a chat. */
const MAX_REST_CHARACTERS = 3_600

/**
 * Chooses from the document of the best passage the piece that most likely answers, and around it as much of its section,
 * and of those below it, as `room` characters hold.
 */
export function answeringExcerpt(
  question: string,
  best: SearchHit,
  hits: readonly SearchHit[],
  terms: TermSplitter,
  room: number,
): Excerpt {
  const own = hits.filter((hit) => hit.docId === best.docId && hit.version === best.version)
  const nearby = (best.around ?? own).filter(({ question: asked }) => asked === null)
  const pieces = piecesOf(sectionsOf(nearby), room * TORN)
  if (pieces.length === 0) return { text: best.content, heading: '', rest: '', chunkIds: new Set([best.chunkId]) }
  const weights = weighPieces(question, pieces, nearby, terms)
  const { from, to } = grow(pieces, weights, room)
  return excerptOf(pieces, from, to, longest(room))
}

/** The run of pieces around the most telling one that has room. */
function grow(pieces: readonly Piece[], weights: readonly number[], room: number): { from: number; to: number } {
  const seed = weights.indexOf(Math.max(...weights))
  const { section } = pieces[seed] as Piece
  let [from, to] = [seed, seed + 1]
  let length = lengthOf(pieces[seed]!)
  for (;;) {
    const [side] = [to, from - 1]
      .filter((at) => pieces[at]?.section === section && length + lengthOf(pieces[at]) <= room)
      .sort((one, other) => weights[other]! - weights[one]!)
    if (side === undefined) break
    length += lengthOf(pieces[side]!)
    if (side === to) to++
    else from--
  }
  for (let next = pieces[to]; next && startsWith(next.section.headingPath, section.headingPath); next = pieces[++to]) {
    const heading = next.section === pieces[to - 1]?.section ? '' : headingOf(next.section)
    length += lengthOf(next) + heading.length
    if (length > room) break
  }
  return { from, to }
}

function lengthOf({ text }: Piece): number {
  return text.length + 2
}

function excerptOf(pieces: readonly Piece[], from: number, to: number, most: number): Excerpt {
  const { headingPath } = (pieces[from] as Piece).section
  const chosen = pieces.slice(from, to)
  const after = pieces.slice(to)
  const end = after.findIndex(({ section }) => !startsWith(section.headingPath, headingPath))
  const left = end < 0 ? after : after.slice(0, end)
  const { text, rest } = shortened(joinBlocks(blocksOf(chosen, chosen[0])), most)
  const follows = [rest, joinBlocks(blocksOf(left, chosen.at(-1)))].filter(Boolean).join('\n\n')
  return {
    text,
    heading: headingOf({ headingPath }),
    rest: follows.slice(0, MAX_REST_CHARACTERS),
    chunkIds: new Set(chosen.flatMap(({ blocks }) => blocks.map(({ passage }) => passage.chunkId))),
  }
}

/** The blocks of pieces, with the headings of the sections that begin between them. */
function blocksOf(pieces: readonly Piece[], before: Piece | undefined): Block[] {
  return pieces.flatMap(({ blocks, section }, i) => {
    const previous = i === 0 ? before : pieces[i - 1]
    const heading = section.headingPath.at(-1)
    const [first] = blocks
    if (!heading || !first || previous?.section === section) return blocks
    return [{ ...first, text: heading, leadsOn: true, goesOn: null }, ...blocks]
  })
}

/** No excerpt for so much room, in characters, is longer. */
export function longest(room: number): number {
  return Math.round(room * MOST)
}

/** A text cut at the end of a line or sentence where it is too long for a reply, and what follows. */
export function shortened(text: string, most = READ_ON_CHARACTERS): { text: string; rest: string } {
  if (text.length <= most) return { text, rest: '' }
  const end = sentenceEnds(text).findLast((at) => at <= most) ?? most
  const kept = text.slice(0, end).trimEnd()
  return { text: goesOnBelow(kept) ? `${kept} …` : kept, rest: text.slice(end).trim().slice(0, MAX_REST_CHARACTERS) }
}

const HEADING_CHARACTERS = 80

/** Whether a text ends with a heading, by itself in its line: what it announces was cut. */
function goesOnBelow(text: string): boolean {
  const at = text.lastIndexOf('\n\n')
  const last = text.slice(at + 2)
  return at > 0 && last.length <= HEADING_CHARACTERS && !/[\n.!?;。！？；…|]/.test(last) && !LIST_LINE.test(last)
}

/** Lines of one list and sentences of one paragraph stay together; anything else is a paragraph. */
function joinBlocks(blocks: readonly Block[]): string {
  return blocks
    .map(({ text, goesOn }, i) => {
      if (i === 0) return text.trimStart()
      if (goesOn === 'sentence') return text
      return (goesOn === 'line' || (LIST_LINE.test(text) && !text.includes('\n')) ? '\n' : '\n\n') + text
    })
    .join('')
    .trim()
}
