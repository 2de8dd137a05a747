import { countGroups } from './communities.ts'
import { normalise, type SparseVectors } from './vectors.ts'

/** What the texts of each group have in common: the heaviest terms of their sum, one row for each group. */
export function centroidsOf(vectors: SparseVectors, groups: Uint32Array, maxTerms: number): SparseVectors {
  const members = membersOf(groups)
  const sums = new Float32Array(vectors.dimensions)
  const rows = members.map((texts) => {
    const touched = addUp(vectors, texts, sums)
    const kept = heaviest(touched, sums, maxTerms)
    const weights = Float32Array.from(kept, (term) => sums[term] as number)
    for (const term of touched) sums[term] = 0
    normalise(weights)
    return { terms: kept, weights }
  })
  return stack(rows, vectors.dimensions)
}

function addUp({ offsets, terms, weights }: SparseVectors, texts: readonly number[], sums: Float32Array): number[] {
  const touched: number[] = []
  for (const text of texts) {
    for (let at = offsets[text] as number; at < (offsets[text + 1] as number); at++) {
      const term = terms[at] as number
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

function stack(rows: readonly { terms: Uint32Array; weights: Float32Array }[], dimensions: number): SparseVectors {
  const total = rows.reduce((sum, { terms }) => sum + terms.length, 0)
  const stacked = {
    offsets: new Uint32Array(rows.length + 1),
    terms: new Uint32Array(total),
    weights: new Float32Array(total),
    dimensions,
  }
  rows.forEach(({ terms, weights }, row) => {
    const start = stacked.offsets[row] as number
    stacked.terms.set(terms, start)
    stacked.weights.set(weights, start)
    stacked.offsets[row + 1] = start + terms.length
  })
  return stacked
}

/** The texts of each group, in order. */
export function membersOf(groups: Uint32Array): number[][] {
  const members: number[][] = Array.from({ length: countGroups(groups) }, () => [])
  groups.forEach((group, text) => {
    members[group]?.push(text)
  })
  return members
}

/** Cosine of a text with the centroid of a group; both of length 1. */
export function likeness(vectors: SparseVectors, text: number, centroids: SparseVectors, group: number): number {
  let [i, j] = [vectors.offsets[text] as number, centroids.offsets[group] as number]
  const [endOfText, endOfGroup] = [vectors.offsets[text + 1] as number, centroids.offsets[group + 1] as number]
  let sum = 0
  while (i < endOfText && j < endOfGroup) {
    const difference = (vectors.terms[i] as number) - (centroids.terms[j] as number)
    if (difference === 0) sum += (vectors.weights[i] as number) * (centroids.weights[j] as number)
    if (difference <= 0) i += 1
    if (difference >= 0) j += 1
  }
  return sum
}
