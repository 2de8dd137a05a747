import { estimateTokens, truncateToTokens } from '../../../ai/model/tokens.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import { passageText } from '../agents/search.ts'
import type { TermSplitter } from './piece.ts'
import { passageBlock } from './prompt.ts'
import { sectionAround } from './section.ts'

/** One question of a customer with what was found for it, the best first. */
export interface ModelPart {
  question: string
  hits: readonly SearchHit[]
}

/** A longer section leaves no room for others, and is given by the passages that were found of it. */
const SECTION_SHARE = 0.5
/** A reply without citations rests on the passage that holds this share of its words. */
const RESTS_ON = 0.4

/** Passages of several lists, each once: the best of each list comes before the second of any. */
export function inTurns(lists: readonly (readonly SearchHit[])[]): SearchHit[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const all = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat()
  return [...new Map(all.toReversed().map((hit) => [hit.chunkId, hit])).values()].toReversed()
}

/**
 * As many passages as the budget allows, in their order, as the whole sections that they stand in where there is room;
 * what one section holds is not given twice. The first is given whatever its length, cut where it must be.
 */
export function withinBudget(hits: readonly SearchHit[], budgetTokens: number): SearchHit[] {
  const given = new Set<number>()
  const used: SearchHit[] = []
  let left = budgetTokens
  for (const hit of hits) {
    if (given.has(hit.chunkId)) continue
    const limits = [Math.min(left, budgetTokens * SECTION_SHARE), left]
    const form = formsOf(hit).find((each, i) => tokensOf(each.hit) <= (limits[i] as number))
    if (!form) continue
    left -= tokensOf(form.hit)
    used.push(form.hit)
    for (const chunkId of form.chunkIds) given.add(chunkId)
  }
  const [first] = hits
  return used.length > 0 || !first ? used : [cutTo(first, budgetTokens)]
}

function formsOf(hit: SearchHit): { hit: SearchHit; chunkIds: Iterable<number> }[] {
  const { text, chunkIds } = sectionAround(hit)
  return [
    { hit: { ...hit, content: text }, chunkIds },
    { hit, chunkIds: [hit.chunkId] },
  ]
}

function tokensOf(hit: SearchHit): number {
  return estimateTokens(passageBlock(1, hit))
}

function cutTo(hit: SearchHit, budgetTokens: number): SearchHit {
  const frame = tokensOf({ ...hit, content: '' })
  return { ...hit, content: truncateToTokens(hit.content, Math.max(budgetTokens - frame, 0)) }
}

/** The passage that a reply which cites none has its words from; undefined where it has them from nowhere. */
export function restsOn(
  reply: string,
  passages: readonly SearchHit[],
  terms: Pick<TermSplitter, 'documentTerms'>,
): SearchHit | undefined {
  const said = [...new Set(terms.documentTerms(reply))]
  let best: { hit: SearchHit; share: number } | undefined
  for (const hit of passages) {
    const held = new Set(terms.documentTerms(passageText(hit)))
    const share = said.filter((term) => held.has(term)).length / said.length
    if (share >= RESTS_ON && share > (best?.share ?? 0)) best = { hit, share }
  }
  return best?.hit
}
