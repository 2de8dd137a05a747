import type { Graph } from './neighbours.ts'

const MIN_GAIN = 1e-9
const MAX_PASSES = 20
const MAX_LEVELS = 20

/**
 * Groups the nodes of a weighted graph so that edges are denser inside than chance would have it (Louvain: Blondel et
 * al., 2008), which finds the number of groups by itself. Deterministic: nodes are visited in order.
 * @param resolution above 1 makes smaller groups, below 1 larger ones.
 * @returns for each node the number of its group, dense from 0.
 */
export function findCommunities(graph: Graph, sizes: readonly number[], resolution: number): number[] {
  let level: Level = { edges: graph.map((edges, i) => withWeights(edges, i, sizes)), self: graph.map(() => 0) }
  let assignment = graph.map((_, i) => i)
  for (let depth = 0; depth < MAX_LEVELS; depth++) {
    const { groups, moved } = moveNodes(level, resolution)
    const dense = renumber(groups)
    assignment = assignment.map((node) => dense[node] as number)
    if (!moved) break
    level = aggregate(level, dense)
  }
  return renumber(assignment)
}

interface Level {
  edges: Map<number, number>[]
  /** Weight of edges inside the node, from lower levels. */
  self: number[]
}

/** A text that stands for many tickets pulls as many. */
function withWeights(edges: ReadonlyMap<number, number>, node: number, sizes: readonly number[]): Map<number, number> {
  const own = Math.sqrt(sizes[node] as number)
  return new Map([...edges].map(([other, weight]) => [other, weight * own * Math.sqrt(sizes[other] as number)]))
}

function moveNodes({ edges, self }: Level, resolution: number): { groups: number[]; moved: boolean } {
  const degrees = edges.map((list, i) => (self[i] as number) * 2 + sum(list.values()))
  const total = sum(degrees)
  const groups = edges.map((_, i) => i)
  const volumes = [...degrees]
  let moved = false
  for (let pass = 0, changed = total > 0; changed && pass < MAX_PASSES; pass++) {
    changed = false
    edges.forEach((list, node) => {
      const from = groups[node] as number
      const to = bestGroup(list, node, groups, volumes, degrees[node] as number, total, resolution)
      if (to === from) return
      volumes[from] = (volumes[from] as number) - (degrees[node] as number)
      volumes[to] = (volumes[to] as number) + (degrees[node] as number)
      groups[node] = to
      changed = true
      moved = true
    })
  }
  return { groups, moved }
}

function bestGroup(
  edges: ReadonlyMap<number, number>,
  node: number,
  groups: readonly number[],
  volumes: readonly number[],
  degree: number,
  total: number,
  resolution: number,
): number {
  const own = groups[node] as number
  const links = new Map<number, number>([[own, 0]])
  for (const [other, weight] of edges) {
    const group = groups[other] as number
    links.set(group, (links.get(group) ?? 0) + weight)
  }
  const gain = (group: number): number => {
    const volume = (volumes[group] as number) - (group === own ? degree : 0)
    return (links.get(group) as number) - (resolution * degree * volume) / total
  }
  let best = own
  let bestGain = gain(own) + MIN_GAIN
  for (const group of links.keys()) {
    const value = gain(group)
    if (value > bestGain) {
      best = group
      bestGain = value
    }
  }
  return best
}

function aggregate({ edges, self }: Level, groups: readonly number[]): Level {
  const count = Math.max(-1, ...groups) + 1
  const next: Level = { edges: Array.from({ length: count }, () => new Map()), self: Array(count).fill(0) }
  edges.forEach((list, node) => {
    const group = groups[node] as number
    next.self[group] = (next.self[group] as number) + (self[node] as number)
    for (const [other, weight] of list) {
      const target = groups[other] as number
      // Each edge stands in both directions, so half of it counts here.
      if (target === group) next.self[group] = (next.self[group] as number) + weight / 2
      else next.edges[group]?.set(target, (next.edges[group]?.get(target) ?? 0) + weight)
    }
  })
  return next
}

function renumber(groups: readonly number[]): number[] {
  const numbers = new Map<number, number>()
  return groups.map((group) => {
    const known = numbers.get(group)
    if (known !== undefined) return known
    numbers.set(group, numbers.size)
    return numbers.size - 1
  })
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
