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
  const matching: Matching = {
    // Rows and columns count from 1; column 0 stands for the row that is being placed.
    costOf: (row, column) => -(wide[row - 1]?.[column - 1] as number),
    rowPotentials: new Float64Array(n + 1),
    columnPotentials: new Float64Array(m + 1),
    rowOf: new Int32Array(m + 1),
    from: new Int32Array(m + 1),
  }
  for (let row = 1; row <= n; row++) place(matching, row)
  return sum(Array.from(matching.rowOf, (row, column) => (column > 0 && row > 0 ? -matching.costOf(row, column) : 0)))
}

interface Matching {
  costOf(row: number, column: number): number
  rowPotentials: Float64Array
  columnPotentials: Float64Array
  /** The row of each column; 0: free. */
  rowOf: Int32Array
  /** The column before each on the cheapest way to it. */
  from: Int32Array
}

/** Widens the tree of cheapest ways from a row until it reaches a free column, then moves the rows along that way. */
function place(matching: Matching, row: number): void {
  const { rowOf, from } = matching
  const slacks = new Float64Array(rowOf.length).fill(Number.POSITIVE_INFINITY)
  const reached = new Uint8Array(rowOf.length)
  rowOf[0] = row
  let column = 0
  do {
    reached[column] = 1
    column = nearest(matching, column, slacks, reached)
    shift(matching, slacks[column] as number, slacks, reached)
  } while (rowOf[column] !== 0)
  for (; column !== 0; column = from[column] as number) rowOf[column] = rowOf[from[column] as number] as number
}

function nearest(
  { costOf, rowPotentials, columnPotentials, rowOf, from }: Matching,
  at: number,
  slacks: Float64Array,
  reached: Uint8Array,
): number {
  const row = rowOf[at] as number
  let best = 0
  for (let column = 1; column < slacks.length; column++) {
    if (reached[column]) continue
    const reduced = costOf(row, column) - rowPotentials[row]! - columnPotentials[column]!
    if (reduced < slacks[column]!) {
      slacks[column] = reduced
      from[column] = at
    }
    if (best === 0 || slacks[column]! < slacks[best]!) best = column
  }
  return best
}

function shift(
  { rowPotentials, columnPotentials, rowOf }: Matching,
  by: number,
  slacks: Float64Array,
  reached: Uint8Array,
): void {
  for (let column = 0; column < slacks.length; column++) {
    if (reached[column]) {
      rowPotentials[rowOf[column] as number]! += by
      columnPotentials[column]! -= by
    } else slacks[column]! -= by
  }
}

function transposed(matrix: readonly (readonly number[])[]): number[][] {
  return (matrix[0] ?? []).map((_, column) => matrix.map((row) => row[column] as number))
}
