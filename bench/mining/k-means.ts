/** The textbook way: TF-IDF of the words as they stand, k-means++ with restarts. */

type Vector = ReadonlyMap<number, number>

export interface KMeansResult {
  labels: number[]
  /** Sum of squared distances. */
  inertia: number
}

const MAX_ROUNDS = 100

/** Words in lower case, single ideographs as pairs; weighed by smoothed TF-IDF, of length 1. */
export function tfIdf(texts: readonly string[]): Vector[] {
  const numbers = new Map<string, number>()
  const counted = texts.map((text) => {
    const counts = new Map<number, number>()
    for (const word of wordsOf(text)) {
      const number = numbers.get(word) ?? numbers.size
      numbers.set(word, number)
      counts.set(number, (counts.get(number) ?? 0) + 1)
    }
    return counts
  })
  const frequencies = new Float64Array(numbers.size)
  for (const counts of counted) for (const term of counts.keys()) frequencies[term]! += 1
  return counted.map((counts) => {
    const weighed = [...counts].map(([term, count]): [number, number] => {
      return [term, count * (Math.log((1 + texts.length) / (1 + frequencies[term]!)) + 1)]
    })
    const length = Math.hypot(...weighed.map(([, weight]) => weight)) || 1
    return new Map(weighed.map(([term, weight]) => [term, weight / length]))
  })
}

function wordsOf(text: string): string[] {
  const runs = text.toLowerCase().match(/\p{Script=Han}+|[\p{L}\p{N}]+/gu) ?? []
  return runs.flatMap((run) =>
    /^\p{Script=Han}/u.test(run) && run.length > 1 ? Array.from(run.slice(1), (last, i) => `${run[i]}${last}`) : run,
  )
}

/** Lloyd's algorithm from k-means++ seeds (Arthur and Vassilvitskii, 2007). */
export function kMeans(vectors: readonly Vector[], k: number, random: () => number): KMeansResult {
  let centres = seeds(vectors, k, random)
  let labels: number[] = []
  let inertia = 0
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const squares = centres.map(squaredLength)
    inertia = 0
    const next = vectors.map((vector) => {
      const { label, distance } = nearest(vector, centres, squares)
      inertia += distance
      return label
    })
    const isSettled = next.every((label, i) => label === labels[i])
    labels = next
    if (isSettled) break
    centres = means(vectors, labels, k, random)
  }
  return { labels, inertia }
}

function seeds(vectors: readonly Vector[], k: number, random: () => number): Vector[] {
  const centres = [vectors[Math.floor(random() * vectors.length)] as Vector]
  const distances = vectors.map(() => Number.POSITIVE_INFINITY)
  while (centres.length < k) {
    const latest = centres.at(-1) as Vector
    const squares = squaredLength(latest)
    vectors.forEach((vector, i) => {
      distances[i] = Math.min(distances[i] as number, distance(vector, latest, squares))
    })
    let drawn = random() * distances.reduce((total, value) => total + value, 0)
    const at = distances.findIndex((value) => {
      drawn -= value
      return drawn <= 0
    })
    centres.push(vectors[Math.max(0, at)] as Vector)
  }
  return centres
}

function nearest(vector: Vector, centres: readonly Vector[], squares: readonly number[]) {
  let label = 0
  let least = Number.POSITIVE_INFINITY
  centres.forEach((centre, i) => {
    const value = distance(vector, centre, squares[i] as number)
    if (value < least) {
      least = value
      label = i
    }
  })
  return { label, distance: least }
}

/** Squared distance of a vector of length 1. */
function distance(vector: Vector, centre: Vector, squares: number): number {
  let dot = 0
  for (const [term, weight] of vector) dot += weight * (centre.get(term) ?? 0)
  return Math.max(0, 1 + squares - 2 * dot)
}

function squaredLength(vector: Vector): number {
  let sum = 0
  for (const weight of vector.values()) sum += weight * weight
  return sum
}

/** An empty cluster begins anew somewhere. */
function means(vectors: readonly Vector[], labels: readonly number[], k: number, random: () => number): Vector[] {
  const sums = Array.from({ length: k }, () => new Map<number, number>())
  const sizes = Array.from({ length: k }, () => 0)
  vectors.forEach((vector, i) => {
    const label = labels[i] as number
    sizes[label]! += 1
    const sum = sums[label] as Map<number, number>
    for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight)
  })
  return sums.map((sum, label) => {
    const size = sizes[label] as number
    if (size === 0) return vectors[Math.floor(random() * vectors.length)] as Vector
    return new Map([...sum].map(([term, weight]) => [term, weight / size]))
  })
}
