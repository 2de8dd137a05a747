import { countGroups } from './communities.ts'
import { stackRows } from './sparse-rows.ts'
import { normalise, type SparseVectors } from './vectors.ts'

/** The centroid of each group of texts: the heaviest terms of their sum, one row for each group. */
export function centroidsOf(
  vectors: SparseVectors,
  groups: readonly (readonly number[])[],
  maxTerms: number,
): SparseVectors {
  const sums = new Float32Array(vectors.dimensions)
  const rows = groups.map((texts) => {
    const touched = addUp(vectors, texts, sums)
    const kept = heaviest(touched, sums, maxTerms)
    const weights = Float32Array.from(kept, (term) => sums[term] as number)
    for (const term of touched) sums[term] = 0
    normalise(weights)
    return { columns: kept, weights }
  })
  return { ...stackRows(rows), dimensions: vectors.dimensions }
}

function addUp({ offsets, columns, weights }: SparseVectors, texts: readonly number[], sums: Float32Array): number[] {
  const touched: number[] = []
  for (const text of texts) {
    for (let at = offsets[text] as number; at < (offsets[text + 1] as number); at++) {
      const term = columns[at] as number
      if (sums[term] === 0) touched.push(term)
      sums[term]! += weights[at] as number
    }
  }
  return touched
}

function heaviest(terms: readonly number[], sums: Float32Array, count: number): Uint32Array {
  if (terms.length <= count) return Uint32Array.from(terms).sort()
  const ranked = [...terms].sort((a, b) => (sums[b] as number) - (sums[a] as number) || a - b)
  return Uint32Array.from(ranked.slice(0, count)).sort()
}

/** The texts of each group, in order. */
export function membersOf(groups: Uint32Array): number[][] {
  const members: number[][] = Array.from({ length: countGroups(groups) }, () => [])
  groups.forEach((group, text) => {
    members[group]?.push(text)
  })
  return members
}
