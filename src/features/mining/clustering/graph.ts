import { jaccard } from '../../../kernel/sorted-sets.ts'
import type { Neighbours } from './neighbours.ts'
import { type SparseRows, stackRows } from './sparse-rows.ts'

/** An undirected weighted graph: a row holds the edges of a node, so that each edge stands in both directions. */
export type Graph = SparseRows

/** The share of its weight that an edge keeps when its ends share no neighbour. */
const UNSHARED = 0.2

/**
 * Connects texts that are neighbours. Two texts that also share their neighbours are of one kind; a bridge between two
 * kinds shares few (shared nearest neighbours: Jarvis and Patrick, 1973), so it weighs less.
 */
export function connect(neighbours: Neighbours): Graph {
  const { k, counts, texts, similarities } = neighbours
  const nodes = counts.length
  const sets = Array.from({ length: nodes }, (_, i) => texts.slice(i * k, i * k + (counts[i] as number)).sort())
  const edges: Map<number, number>[] = Array.from({ length: nodes }, () => new Map())
  for (let node = 0; node < nodes; node++) {
    for (let rank = 0; rank < (counts[node] as number); rank++) {
      const other = texts[node * k + rank] as number
      if (edges[node]?.has(other)) continue
      const weight = (similarities[node * k + rank] as number) * (UNSHARED + jaccard(sets[node]!, sets[other]!))
      edges[node]?.set(other, weight)
      edges[other]?.set(node, weight)
    }
  }
  return pack(edges)
}

export function pack(edges: readonly ReadonlyMap<number, number>[]): Graph {
  return stackRows(
    edges.map((list) => ({ columns: Uint32Array.from(list.keys()), weights: Float32Array.from(list.values()) })),
  )
}
