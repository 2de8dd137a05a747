import { membersOf } from './centroids.ts'
import { countGroups, renumber } from './communities.ts'
import { type Matter, middlesOf } from './likeness.ts'
import { nearestMeanings } from './nearest-meanings.ts'
import { findNeighbours } from './neighbours.ts'

export interface MergeOptions {
  /** Likeness of two middles from which on the groups are one. */
  minSimilarity: number
  maxTerms: number
}

/** Of groups that share common words the nearest few hundred are compared, so that a round is linear in the groups. */
const SEARCH = { k: 1, maxPostings: 500, budget: 5_000, maxCompared: 50 }
const MEANING_SEARCH = { k: 5, trees: 4, leaf: 64 }
const MAX_ROUNDS = 100

/**
 * Joins groups that speak of the same: in every round each two that are nearest to each other and near enough, until
 * there are none (centroid linkage, by reciprocal nearest neighbours).
 */
export function mergeAlike(matter: Matter, groups: Uint32Array, options: MergeOptions): Uint32Array {
  let merged = groups
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const middles = middlesOf(matter, membersOf(merged), options.maxTerms)
    const alike = middles.share > 0 ? nearestMeanings(middles.meanings, MEANING_SEARCH) : undefined
    const search = { ...SEARCH, minSimilarity: options.minSimilarity }
    const { counts, texts: nearest } = findNeighbours(middles, search, alike)
    const target = Uint32Array.from({ length: countGroups(merged) }, (_, group) => {
      const other = nearest[group]!
      const isMutual = counts[group] === 1 && counts[other] === 1 && nearest[other] === group
      return isMutual ? Math.min(group, other) : group
    })
    if (target.every((to, group) => to === group)) break
    merged = renumber(merged.map((group) => target[group] as number))
  }
  return merged
}
