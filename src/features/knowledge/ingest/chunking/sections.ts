import { bareQuestion, isQuestion, stripAnswerMarker } from '../../formats/questions.ts'
import type { Block, BlockPlace } from '../../formats/types.ts'
import { countTokens } from './tokens.ts'
import type { ChunkOptions } from './types.ts'
import { type Unit, unitsOf } from './units.ts'

/** Units that belong together under one heading, to one question or to one entry of a data file. */
export interface Section {
  headingPath: string[]
  question: string | null
  units: Unit[]
  metadata: Record<string, string>
}

/** A heading while its section is open; compared by identity, since two headings may have the same words. */
interface Heading extends BlockPlace {
  level: number
  text: string
  /** Whether some section already carries these words. */
  used: boolean
}

interface Draft extends Section {
  headings: Heading[]
  /** The words of the innermost heading are all there is, and they are in `units`. */
  bare: boolean
  /** Pairs, entries and records stand alone: they neither join a neighbour nor an outer question's answer. */
  separate: boolean
}

const MAX_HEADING_TOKENS = 96
const MAX_QUESTION_TOKENS = 160
const SENTENCE_END = /[。．.!！?？；;]["'”’）)】]*\s*$/

/** Cuts a document at its headings, pairs, entries and records, and joins what answers one question or is tiny. */
export function sectionsOf(blocks: Block[], title: string | null, options: ChunkOptions): Section[] {
  const drafts = draftsOf(blocks, options)
  const answered = answerQuestions(drafts, options)
  return joinSmall(answered, options).map((draft) => ({
    ...draft,
    headingPath: withoutTitle(draft.headingPath, title),
  }))
}

function draftsOf(blocks: Block[], options: ChunkOptions): Draft[] {
  const drafts: Draft[] = []
  const open: Heading[] = []
  let current: Block[] = []
  const add = (draft: Omit<Draft, 'headings'>) => {
    if (draft.units.length === 0) return
    for (const heading of open) heading.used = true
    drafts.push({ ...draft, headings: [...open], headingPath: [...textsOf(open), ...draft.headingPath] })
  }
  const close = () => {
    if (current.length > 0) add({ ...PLAIN, units: unitsOf(current, options) })
    current = []
  }
  const leave = (level: number) => {
    close()
    const last = open.at(-1)
    if (last && last.level >= level && !last.used) drafts.push(bareDraft(open, last, options))
    while (open.length > 0 && (open.at(-1) as Heading).level >= level) open.pop()
  }
  for (const block of blocks) {
    if (block.type === 'heading' && countTokens(block.text) <= MAX_HEADING_TOKENS) {
      leave(block.level)
      open.push({ ...block, used: false })
    } else if (block.type === 'qa' || block.type === 'entry' || block.type === 'record') {
      close()
      for (const own of ownDrafts(block, options)) add(own)
    } else current.push(block)
  }
  leave(0)
  return drafts
}

const PLAIN = { headingPath: [], question: null, metadata: {}, bare: false, separate: false }

function bareDraft(open: Heading[], last: Heading, options: ChunkOptions): Draft {
  for (const heading of open) heading.used = true
  const units = unitsOf([{ ...last, type: 'paragraph' }], options)
  return {
    ...PLAIN,
    headings: [...open],
    headingPath: textsOf(open.slice(0, -1)),
    units,
    bare: true,
    separate: asks(last),
  }
}

function textsOf(headings: Heading[]): string[] {
  return headings.map((heading) => heading.text)
}

type OwnBlock = Extract<Block, { type: 'qa' | 'entry' | 'record' }>

function ownDrafts(block: OwnBlock, options: ChunkOptions): Omit<Draft, 'headings'>[] {
  const own = { ...PLAIN, metadata: placedMetadata(block), separate: true }
  if (block.type === 'record') return [{ ...own, units: unitsOf([block], options) }]
  const title = block.type === 'qa' ? bareQuestion(block.question) : block.title
  const inner = block.type === 'qa' ? block.answer : block.blocks
  const limit = block.type === 'qa' ? MAX_QUESTION_TOKENS : MAX_HEADING_TOKENS
  const units = unitsOf(inner, options)
  if (countTokens(title) > limit || units.length === 0) return [{ ...own, units: unitsOf([block], options) }]
  if (block.type === 'qa') return [{ ...own, question: title, units }]
  return answerQuestions(draftsOf(inner, options), options).map((draft) => ({
    ...draft,
    headingPath: title === '' ? draft.headingPath : [title, ...draft.headingPath],
    metadata: { ...own.metadata, ...draft.metadata },
    separate: true,
  }))
}

function placedMetadata(block: OwnBlock): Record<string, string> {
  return block.sheet ? { ...block.metadata, sheet: block.sheet } : block.metadata
}

/**
 * Sections under a question heading become its answer. Sub-sections are part of it while the whole stays within two
 * chunks; a longer text under a question is a chapter, of which only the opening answers.
 */
function answerQuestions(drafts: Draft[], options: ChunkOptions): Draft[] {
  const result: Draft[] = []
  for (let i = 0; i < drafts.length; ) {
    const draft = drafts[i] as Draft
    const asked = draft.separate ? undefined : askedBy(draft)
    let end = i + 1
    if (asked) while (end < drafts.length && answers(drafts[end] as Draft, asked)) end++
    for (const member of asked ? answersTo(asked, drafts.slice(i, end), options) : [draft]) result.push(member)
    i = end
  }
  return result
}

function answersTo(asked: Heading, group: Draft[], options: ChunkOptions): Draft[] {
  const tokens = group.reduce((sum, member) => sum + tokensOf(member.units), 0)
  if (tokens <= 2 * options.maxTokens) return [answerOf(group, asked, options)]
  return group.map((member) => (member.headings.at(-1) === asked ? answerOf([member], asked, options) : member))
}

function askedBy(draft: Draft): Heading | undefined {
  return draft.headings.findLast(asks)
}

function asks(heading: Heading): boolean {
  return isQuestion(heading.text) && countTokens(heading.text) <= MAX_QUESTION_TOKENS
}

function answers(draft: Draft, asked: Heading): boolean {
  return !draft.separate && askedBy(draft) === asked
}

function answerOf(group: Draft[], asked: Heading, options: ChunkOptions): Draft {
  const first = group[0] as Draft
  const above = first.headings.slice(0, first.headings.indexOf(asked))
  const shown = new Set<Heading>([...above, asked])
  const [opening, ...rest] = group.flatMap((member) => {
    const fresh = member.headings.filter((heading) => !shown.has(heading))
    for (const heading of fresh) shown.add(heading)
    return headedUnits(member, fresh, options)
  })
  const bare = opening ? stripAnswerMarker(opening.text) : ''
  const stripped = opening && bare !== '' ? { ...opening, text: bare, tokens: countTokens(bare) } : opening
  return {
    ...first,
    headings: above,
    headingPath: textsOf(above),
    question: bareQuestion(asked.text),
    units: stripped ? [stripped, ...rest] : rest,
    separate: true,
  }
}

/** A section's units, led by those of its headings that nothing before it shows. */
function headedUnits(draft: Draft, headings: Heading[], options: ChunkOptions): Unit[] {
  const page = draft.units[0]?.page ?? null
  const leading = (draft.bare ? headings.slice(0, -1) : headings).map(
    ({ text }): Block => ({ type: 'heading', level: 1, text, ...(page !== null && { page }) }),
  )
  return leading.length === 0 ? draft.units : [...unitsOf(leading, options), ...draft.units]
}

/** Neighbouring scraps under one parent become one, each part led by its own heading. */
function joinSmall(drafts: Draft[], options: ChunkOptions): Draft[] {
  const groups: Draft[][] = []
  let tokens = 0
  for (const draft of drafts) {
    const size = tokensOf(draft.units)
    const small = !draft.separate && size <= options.smallTokens && !isStatement(draft)
    const first = groups.at(-1)?.[0]
    const fits = first !== undefined && tokens > 0 && tokens + size <= options.targetTokens / 2
    if (small && fits && sameParent(first, draft)) {
      groups.at(-1)?.push(draft)
      tokens += size
    } else {
      groups.push([draft])
      tokens = small ? size : 0
    }
  }
  return groups.map((group) => (group.length === 1 ? (group[0] as Draft) : joinedDraft(group, options)))
}

/** A text of whole sentences under a heading of its own answers by itself; joined, it would answer for its neighbours. */
function isStatement({ bare, units }: Draft): boolean {
  return !bare && units.every(({ text }) => SENTENCE_END.test(text))
}

function sameParent(a: Draft, b: Draft): boolean {
  const parentOf = (draft: Draft) => draft.headings.at(-2)
  const samePage = a.units[0]?.page === b.units[0]?.page
  return samePage && a.headings.length === b.headings.length && a.headings.length > 0 && parentOf(a) === parentOf(b)
}

function joinedDraft(group: Draft[], options: ChunkOptions): Draft {
  const above = (group[0] as Draft).headings.slice(0, -1)
  const units = group.flatMap((draft) => headedUnits(draft, draft.headings.slice(-1), options))
  return { ...PLAIN, headings: above, headingPath: textsOf(above), units }
}

function withoutTitle(path: string[], title: string | null): string[] {
  return title !== null && path[0] === title ? path.slice(1) : path
}

function tokensOf(units: Unit[]): number {
  return units.reduce((sum, unit) => sum + unit.tokens, 0)
}
