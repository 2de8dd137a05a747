import { type Graph, pack } from './graph.ts'

const MIN_GAIN = 1e-9
const MAX_PASSES = 20
const MAX_LEVELS = 20

/**
 * Groups the nodes of a graph so that edges are denser inside than chance would have it (Louvain: Blondel et al., 2008),
 * which finds the number of groups by itself. Deterministic: nodes are visited in order.
 *
 * @param resolution above 1 makes smaller groups.
 * @returns for each node the number of its group, dense from 0.
 */
export function findCommunities(graph: Graph, resolution: number): Uint32Array {
  let level: Level = { graph, inside: new Float64Array(nodesOf(graph)) }
  let assignment = Uint32Array.from({ length: nodesOf(graph) }, (_, node) => node)
  for (let depth = 0; depth < MAX_LEVELS; depth++) {
    const { groups, moved } = moveNodes(level, resolution)
    if (!moved) break
    const dense = renumber(groups)
    assignment = assignment.map((node) => dense[node] as number)
    level = aggregate(level, dense)
  }
  return renumber(assignment)
}

interface Level {
  graph: Graph
  /** Twice the weight of the edges inside each node, from lower levels. */
  inside: Float64Array
}

function nodesOf(graph: Graph): number {
  return graph.offsets.length - 1
}

function moveNodes({ graph, inside }: Level, resolution: number): { groups: Uint32Array; moved: boolean } {
  const nodes = nodesOf(graph)
  const degrees = inside.map((weight, node) => weight + degree(graph, node))
  const total = degrees.reduce((sum, weight) => sum + weight, 0)
  const groups = Uint32Array.from({ length: nodes }, (_, node) => node)
  const volumes = degrees.slice()
  const choose = createChooser(graph, groups, volumes, resolution / (total || 1))
  let moved = false
  for (let pass = 0, changed = total > 0; changed && pass < MAX_PASSES; pass++) {
    changed = false
    for (let node = 0; node < nodes; node++) {
      const from = groups[node] as number
      const to = choose(node, degrees[node] as number)
      if (to === from) continue
      volumes[from]! -= degrees[node] as number
      volumes[to]! += degrees[node] as number
      groups[node] = to
      changed = true
      moved = true
    }
  }
  return { groups, moved }
}

function degree({ offsets, weights }: Graph, node: number): number {
  let sum = 0
  for (let at = offsets[node] as number; at < (offsets[node + 1] as number); at++) sum += weights[at] as number
  return sum
}

/** The group of its neighbours in which a node gains most; its own unless another is truly better. */
function createChooser(graph: Graph, groups: Uint32Array, volumes: Float64Array, factor: number) {
  const links = new Float64Array(groups.length)
  return (node: number, degreeOfNode: number): number => {
    const own = groups[node] as number
    const touched: number[] = [own]
    for (let at = graph.offsets[node] as number; at < (graph.offsets[node + 1] as number); at++) {
      const group = groups[graph.columns[at] as number] as number
      if (links[group] === 0 && group !== own) touched.push(group)
      links[group]! += graph.weights[at] as number
    }
    const gain = (group: number): number => {
      const volume = (volumes[group] as number) - (group === own ? degreeOfNode : 0)
      return (links[group] as number) - factor * degreeOfNode * volume
    }
    let best = own
    let bestGain = gain(own) + MIN_GAIN
    for (const group of touched) {
      const value = gain(group)
      if (group === own || value <= bestGain) continue
      best = group
      bestGain = value
    }
    for (const group of touched) links[group] = 0
    return best
  }
}

function aggregate({ graph, inside }: Level, groups: Uint32Array): Level {
  const count = countGroups(groups)
  const edges: Map<number, number>[] = Array.from({ length: count }, () => new Map())
  const insideNext = new Float64Array(count)
  for (let node = 0; node < groups.length; node++) {
    const group = groups[node] as number
    const own = edges[group] as Map<number, number>
    insideNext[group]! += inside[node] as number
    for (let at = graph.offsets[node] as number; at < (graph.offsets[node + 1] as number); at++) {
      const target = groups[graph.columns[at] as number] as number
      // Each edge stands in both directions, so this counts it twice.
      if (target === group) insideNext[group]! += graph.weights[at] as number
      else own.set(target, (own.get(target) ?? 0) + (graph.weights[at] as number))
    }
  }
  return { graph: pack(edges), inside: insideNext }
}

/** Of groups that are numbered densely from 0. */
export function countGroups(groups: Uint32Array): number {
  return groups.reduce((most, group) => Math.max(most, group + 1), 0)
}

/** Numbers groups from 0 in the order in which they first occur. */
export function renumber(groups: Uint32Array): Uint32Array {
  const numbers = new Map<number, number>()
  return groups.map((group) => {
    const number = numbers.get(group) ?? numbers.size
    numbers.set(group, number)
    return number
  })
}
