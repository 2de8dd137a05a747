import { memoize } from '../../../kernel/memoize.ts'
import { sentenceEnds } from '../../../language/sentences.ts'
import { questionType, type SearchHit } from '../../knowledge/index.ts'
import { type Block, type Section, sectionsOf, startsWith } from './section.ts'

/** The part of the analyser that choosing sentences needs. */
export interface TermSplitter {
  queryTerms(text: string): string[]
  documentTerms(text: string): string[]
  words(text: string): string[]
}

/** The part of a document that answers. */
export interface Excerpt {
  text: string
  /** What follows it under the same heading and was left out for its length; '' where nothing was. */
  rest: string
  /** The passages that the text was taken from. */
  chunkIds: ReadonlySet<number>
}

/** A section up to this many characters is given whole. */
const WHOLE_CHARACTERS = 900
/** No reply is longer. */
const MAX_CHARACTERS = 1_100
/** A section shorter than this goes on with those below it. */
const SHORT_CHARACTERS = 320
/** What is kept for "more"; nobody reads on for longer in a chat. */
const MAX_REST_CHARACTERS = 3_600

/** Of one document; the passages that are read with a hit hold no more. */
const MAX_BLOCKS = 1_000

/** How much of a section's weight is what the search says of its passages; the rest is the question's words in it. */
const SEARCH_SHARE = 0.6
/** Where sections are alike, that of the best passage. */
const FOUND_BONUS = 0.1
/** Steps answer "how", and what a document opens with seldom does. */
const STEPS_BONUS = 0.25
const OPENING_PENALTY = 0.25
/** Each further hundred characters must be worth this share of the question. */
const COST_OF_100_CHARACTERS = 0.02

/** Chooses from the document of the best passage the section that answers, or the part of it where it is long. */
export function answeringExcerpt(
  question: string,
  best: SearchHit,
  hits: readonly SearchHit[],
  terms: TermSplitter,
): Excerpt {
  const own = hits.filter((hit) => hit.docId === best.docId && hit.version === best.version)
  const nearby = (best.around ?? own).filter(({ question: asked }) => asked === null)
  const sections = sectionsOf(nearby)
  const most = Math.max(...nearby.map(({ score }) => score)) || 1
  const scores = new Map(nearby.map(({ chunkId, score }) => [chunkId, score / most]))
  const weigh = createWeigher(question, sections, terms)
  const asksHow = questionType(terms.words(question)) === 'how'
  const ranked = sections
    .map((section, i) => ({
      section,
      weight: weightOf(section, i, { sections, scores, weigh, asksHow, best: best.chunkId }),
    }))
    .toSorted((a, b) => b.weight - a.weight)
  const chosen = ranked[0]?.section
  if (!chosen) return { text: best.content, rest: '', chunkIds: new Set([best.chunkId]) }
  const blocks = withSectionsBelow(chosen, sections)
  return cut(blocks, (block) => weigh(block) + SEARCH_SHARE * (scores.get(block.passage.chunkId) ?? 0) * 0.2)
}

interface Weighing {
  sections: readonly Section[]
  /** By passage, the search's score as a share of the best. */
  scores: ReadonlyMap<number, number>
  weigh: (block: Pick<Block, 'text' | 'passage'>) => number
  asksHow: boolean
  /** The chunk that the search put first. */
  best: number
}

function weightOf(section: Section, place: number, { sections, scores, weigh, asksHow, best }: Weighing): number {
  const score = Math.max(0, ...section.blocks.map(({ passage }) => scores.get(passage.chunkId) ?? 0))
  const found = section.blocks.some((block) => block.passage.chunkId === best) ? FOUND_BONUS : 0
  const said = Math.max(0, ...section.blocks.map(weigh))
  const steps = asksHow && section.blocks.some(({ text }) => isList(text)) ? STEPS_BONUS : 0
  const opening = isOpening(section, place, sections) && !section.blocks.some(({ text }) => isList(text))
  return SEARCH_SHARE * score + (1 - SEARCH_SHARE) * said + steps + found - (opening ? OPENING_PENALTY : 0)
}

/** What stands above all other sections: an introduction. */
function isOpening({ headingPath }: Section, place: number, sections: readonly Section[]): boolean {
  const others = sections.slice(1)
  return place === 0 && others.length > 0 && others.every((other) => startsWith(other.headingPath, headingPath))
}

/** Weighs a text by the share of the question's words in it, 0 to 1, rare ones in the document counting most. */
function createWeigher(question: string, sections: readonly Section[], terms: TermSplitter): Weighing['weigh'] {
  const wanted = [...new Set(terms.queryTerms(question))]
  const wordsOf = memoize((text: string) => new Set(terms.documentTerms(text)), {
    maxEntries: MAX_BLOCKS,
    maxLength: Number.POSITIVE_INFINITY,
  })
  const blocks = sections.flatMap((section) => section.blocks)
  const idf = wanted.map((term) => {
    const holders = blocks.filter(({ text }) => wordsOf(text).has(term)).length
    return holders === 0 ? 0 : Math.log(1 + blocks.length / holders)
  })
  const total = idf.reduce((sum, each) => sum + each, 0) || 1
  return ({ text, passage }) => {
    const words = wordsOf(text)
    const heading = wordsOf(passage.headingPath.at(-1) ?? '')
    return wanted.reduce((sum, term, i) => {
      const share = words.has(term) ? 1 : heading.has(term) ? 0.7 : 0
      return sum + (share * (idf[i] as number)) / total
    }, 0)
  }
}

const LIST_LINE = /^\s*(?:[-*•]|\d{1,2}[.)、])\s*\S/

function isList(text: string): boolean {
  return text.split('\n').filter((line) => LIST_LINE.test(line)).length >= 2
}

/** A short section under whose heading more stands ("Web", "App") is given with that. */
function withSectionsBelow(chosen: Section, sections: readonly Section[]): Block[] {
  const at = sections.indexOf(chosen)
  const blocks = [...chosen.blocks]
  const isWhole = lengthOf(sections.flatMap((section) => section.blocks)) <= WHOLE_CHARACTERS
  let length = lengthOf(blocks)
  for (const section of sections.slice(at + 1)) {
    const isBelow = startsWith(section.headingPath, chosen.headingPath)
    if (!isBelow || (length > SHORT_CHARACTERS && !isWhole) || length + lengthOf(section.blocks) > WHOLE_CHARACTERS)
      break
    const heading = section.headingPath.at(-1)
    const [first] = section.blocks
    if (heading && first) blocks.push({ ...first, text: heading, leadsOn: true })
    blocks.push(...section.blocks)
    length = lengthOf(blocks)
  }
  return blocks
}

function lengthOf(blocks: readonly Pick<Block, 'text'>[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length + 2, 0)
}

/** The run of blocks that holds most of the question at the least length; what leads on stays with what it announces. */
function cut(blocks: readonly Block[], weigh: (block: Block) => number): Excerpt {
  if (lengthOf(blocks) <= WHOLE_CHARACTERS) return excerptOf(blocks, [])
  const pieces = bound(blocks).flatMap((piece) => (lengthOf(piece) > MAX_CHARACTERS ? torn(piece) : [piece]))
  const weights = pieces.map((piece) => Math.max(...piece.map(weigh)))
  let best = { from: 0, to: 1, value: Number.NEGATIVE_INFINITY }
  for (let from = 0; from < pieces.length; from++) {
    let value = 0
    for (let to = from + 1; to <= pieces.length; to++) {
      const length = lengthOf(pieces.slice(from, to).flat())
      if (length > WHOLE_CHARACTERS && to > from + 1) break
      value += weights[to - 1] ?? 0
      const worth = value - (COST_OF_100_CHARACTERS * length) / 100
      if (worth > best.value) best = { from, to, value: worth }
    }
  }
  return excerptOf(pieces.slice(best.from, best.to).flat(), pieces.slice(best.to).flat())
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

/** A list or paragraph that is too long for a reply, by its lines. */
function torn(piece: readonly Block[]): Block[][] {
  return piece.flatMap((block) => block.text.split('\n').map((text) => [{ ...block, text, leadsOn: false }]))
}

function excerptOf(chosen: readonly Block[], left: readonly Block[]): Excerpt {
  const { text, rest } = shortened(joinBlocks(chosen))
  const after = [rest, joinBlocks(left)].filter(Boolean).join('\n\n')
  return {
    text,
    rest: after.slice(0, MAX_REST_CHARACTERS),
    chunkIds: new Set(chosen.map(({ passage }) => passage.chunkId)),
  }
}

/** A text cut at the end of a line or sentence where it is too long for a reply, and what follows. */
export function shortened(text: string): { text: string; rest: string } {
  if (text.length <= MAX_CHARACTERS) return { text, rest: '' }
  const end = sentenceEnds(text).findLast((at) => at <= MAX_CHARACTERS) ?? MAX_CHARACTERS
  return { text: text.slice(0, end).trimEnd(), rest: text.slice(end).trim().slice(0, MAX_REST_CHARACTERS) }
}

/** Lines of one list stay together; anything else is a paragraph. */
function joinBlocks(blocks: readonly Block[]): string {
  return blocks
    .map(({ text }, i) => (i > 0 && LIST_LINE.test(text) && !text.includes('\n') ? '\n' : i > 0 ? '\n\n' : '') + text)
    .join('')
}
