import type { Neighbours } from './neighbours.ts'

/** An undirected weighted graph: the edges of node `i` stand from `offsets[i]` to `offsets[i + 1]`, in both directions. */
export interface Graph {
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float32Array
}

/** What an edge keeps of its weight when its ends share no neighbour. */
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

function jaccard(a: Uint32Array, b: Uint32Array): number {
  let [i, j, shared] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const difference = (a[i] as number) - (b[j] as number)
    if (difference === 0) shared += 1
    if (difference <= 0) i += 1
    if (difference >= 0) j += 1
  }
  const union = a.length + b.length - shared
  return union === 0 ? 0 : shared / union
}

export function pack(edges: readonly ReadonlyMap<number, number>[]): Graph {
  const total = edges.reduce((sum, list) => sum + list.size, 0)
  const graph = {
    offsets: new Uint32Array(edges.length + 1),
    targets: new Uint32Array(total),
    weights: new Float32Array(total),
  }
  let end = 0
  edges.forEach((list, node) => {
    for (const [target, weight] of list) {
      graph.targets[end] = target
      graph.weights[end] = weight
      end += 1
    }
    graph.offsets[node + 1] = end
  })
  return graph
}
