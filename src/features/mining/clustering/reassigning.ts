import { membersOf } from './centroids.ts'
import { renumber } from './communities.ts'
import { likeness, type Matter, middlesOf } from './likeness.ts'
import type { Neighbours } from './neighbours.ts'

/** A text changes its group only for one that is nearer by this much, so that ties do not swing. */
const MIN_GAIN = 0.02
const CENTROID_TERMS = 400

/**
 * Moves each text to the group that it is most like, among its own and those of its neighbours (spherical k-means,
 * begun from groups that are there).
 */
export function reassign(matter: Matter, neighbours: Neighbours, groups: Uint32Array, rounds: number): Uint32Array {
  let current = groups
  for (let round = 0; round < rounds; round++) {
    const members = membersOf(current)
    const middles = middlesOf(matter, members, CENTROID_TERMS)
    const sizes = members.map(({ length }) => length)
    const before = current
    current = renumber(
      before.map((own, text) => {
        let best = own
        // A text that is alone is as like its middle as can be.
        let bestLikeness = (sizes[own] as number) > 1 ? likeness(matter, text, middles, own) : 0
        for (const group of groupsAround(neighbours, before, text)) {
          const value = likeness(matter, text, middles, group)
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
  const near = texts.subarray(text * k, text * k + counts[text]!)
  const around = new Set(near.map((other) => groups[other]!))
  around.delete(groups[text] as number)
  return around
}
