import { centroidsOf, likeness, membersOf } from './centroids.ts'
import { renumber } from './communities.ts'
import type { Neighbours } from './neighbours.ts'
import type { SparseVectors } from './vectors.ts'

/** A text changes its group only for one that is nearer by this much, so that ties do not swing. */
const MIN_GAIN = 0.02
const CENTROID_TERMS = 400

/**
 * Moves each text to the group that it is most like, among its own and those of its neighbours (spherical k-means,
 * begun from groups that are there).
 */
export function reassign(
  vectors: SparseVectors,
  neighbours: Neighbours,
  groups: Uint32Array,
  rounds: number,
): Uint32Array {
  let current = groups
  for (let round = 0; round < rounds; round++) {
    const centroids = centroidsOf(vectors, current, CENTROID_TERMS)
    const sizes = membersOf(current).map(({ length }) => length)
    const before = current
    current = renumber(
      before.map((own, text) => {
        let best = own
        // A text that is alone is as like its centroid as can be.
        let bestLikeness = (sizes[own] as number) > 1 ? likeness(vectors, text, centroids, own) : 0
        for (const group of groupsAround(neighbours, before, text)) {
          const value = likeness(vectors, text, centroids, group)
          if ((sizes[group] as number) < 2 || value <= bestLikeness + MIN_GAIN) continue
          best = group
          bestLikeness = value
        }
        return best
      }),
    )
  }
  return current
}

function groupsAround({ k, counts, texts }: Neighbours, groups: Uint32Array, text: number): Set<number> {
  const around = new Set<number>()
  for (let rank = 0; rank < (counts[text] as number); rank++)
    around.add(groups[texts[text * k + rank] as number] as number)
  around.delete(groups[text] as number)
  return around
}
