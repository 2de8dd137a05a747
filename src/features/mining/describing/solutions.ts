import { jaccard } from '../../../kernel/sorted-sets.ts'

/** A solution that tickets of a cluster were closed with. */
export interface SolutionCandidate {
  /** Distinct content words as numbers, ascending. */
  words: Uint32Array
  /** How many tickets of the cluster were closed with just these words. */
  count: number
  /** Characters. */
  length: number
}

/** From this many words on a solution explains; below, it only says that something was done. */
const EXPLAINING_WORDS = 12
const MAX_COMPARED = 200

/**
 * The solution that says best what helped: backed by many like it, and explaining something. Of equals the longer one.
 * @returns its place in `candidates`; -1 when there are none.
 */
export function bestSolution(candidates: readonly SolutionCandidate[]): number {
  const compared = [...candidates.keys()]
    .sort((a, b) => candidates[b]!.count - candidates[a]!.count || a - b)
    .slice(0, MAX_COMPARED)
  const scored = compared.map((at) => {
    const { words, length } = candidates[at]!
    const alike = compared.map((other) => candidates[other]!.count * jaccard(words, candidates[other]!.words))
    const support = alike.reduce((sum, count) => sum + count, 0)
    return { at, length, score: Math.sqrt(support) * Math.min(1, words.length / EXPLAINING_WORDS) }
  })
  return scored.sort((a, b) => b.score - a.score || b.length - a.length)[0]?.at ?? -1
}
