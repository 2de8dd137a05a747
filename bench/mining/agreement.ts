/** How far two groupings of the same things agree. */
export interface Agreement {
  clusters: number
  /** Share in the right place under the best one-to-one mapping of found to true groups (Kuhn, 1955). */
  accuracy: number
  /** Normalised mutual information, by the arithmetic mean of the entropies. */
  nmi: number
}

export function agreement(found: readonly number[], truth: readonly string[]): Agreement {
  const names = [...new Set(truth)]
  const counts = Array.from({ length: Math.max(...found) + 1 }, () => names.map(() => 0))
  const column = new Map(names.map((name, at) => [name, at]))
  found.forEach((cluster, i) => {
    counts[cluster]![column.get(truth[i] as string)!]! += 1
  })
  return {
    clusters: new Set(found).size,
    accuracy: bestMapping(counts) / found.length,
    nmi: mutualInformation(counts, found.length),
  }
}

function mutualInformation(counts: readonly (readonly number[])[], total: number): number {
  const rows = counts.map(sum)
  const columns = (counts[0] ?? []).map((_, at) => sum(counts.map((row) => row[at] as number)))
  let shared = 0
  counts.forEach((row, i) => {
    row.forEach((count, j) => {
      if (count > 0) shared += (count / total) * Math.log((count * total) / (rows[i]! * columns[j]!))
    })
  })
  const mean = (entropy(rows, total) + entropy(columns, total)) / 2
  return mean === 0 ? 1 : shared / mean
}

function entropy(sizes: readonly number[], total: number): number {
  return sum(sizes.map((size) => (size === 0 ? 0 : (-size / total) * Math.log(size / total))))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The largest sum of one entry a row and a column: the Hungarian algorithm with potentials, O(n²m). */
export function bestMapping(weights: readonly (readonly number[])[]): number {
  const wide = (weights[0]?.length ?? 0) >= weights.length ? weights : transposed(weights)
  const [n, m] = [wide.length, wide[0]?.length ?? 0]
  const costs = (row: number, column: number): number => -(wide[row - 1]?.[column - 1] as number)
  const u = new Float64Array(n + 1)
  const v = new Float64Array(m + 1)
  const rowOf = new Int32Array(m + 1)
  const way = new Int32Array(m + 1)
  for (let row = 1; row <= n; row++) {
    rowOf[0] = row
    let column = 0
    const least = new Float64Array(m + 1).fill(Number.POSITIVE_INFINITY)
    const used = new Uint8Array(m + 1)
    do {
      used[column] = 1
      const from = rowOf[column] as number
      let delta = Number.POSITIVE_INFINITY
      let next = 0
      for (let j = 1; j <= m; j++) {
        if (used[j]) continue
        const reduced = costs(from, j) - u[from]! - v[j]!
        if (reduced < least[j]!) {
          least[j] = reduced
          way[j] = column
        }
        if (least[j]! < delta) {
          delta = least[j]!
          next = j
        }
      }
      for (let j = 0; j <= m; j++) {
        if (used[j]) {
          u[rowOf[j] as number]! += delta
          v[j]! -= delta
        } else least[j]! -= delta
      }
      column = next
    } while (rowOf[column] !== 0)
    for (; column !== 0; column = way[column] as number) rowOf[column] = rowOf[way[column] as number] as number
  }
  let total = 0
  for (let j = 1; j <= m; j++) if (rowOf[j] !== 0) total -= costs(rowOf[j] as number, j)
  return total
}

function transposed(matrix: readonly (readonly number[])[]): number[][] {
  return (matrix[0] ?? []).map((_, column) => matrix.map((row) => row[column] as number))
}
