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
  let best = -1
  let bestScore = -1
  for (const at of compared) {
    const own = candidates[at]!
    const support = compared.reduce((sum, other) => sum + candidates[other]!.count * alike(own, candidates[other]!), 0)
    const score = Math.sqrt(support) * Math.min(1, own.words.length / EXPLAINING_WORDS)
    const isLonger = score === bestScore && best >= 0 && own.length > candidates[best]!.length
    if (score <= bestScore && !isLonger) continue
    best = at
    bestScore = score
  }
  return best
}

/** Share of words in common (Jaccard). */
function alike({ words: a }: SolutionCandidate, { words: b }: SolutionCandidate): number {
  let [i, j, shared] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const difference = a[i]! - b[j]!
    if (difference === 0) shared += 1
    if (difference <= 0) i += 1
    if (difference >= 0) j += 1
  }
  const union = a.length + b.length - shared
  return union === 0 ? 0 : shared / union
}
