/** A sparse matrix, row after row: row `i` stands from `offsets[i]` to `offsets[i + 1]`. */
export interface SparseRows {
  readonly offsets: Uint32Array
  readonly columns: Uint32Array
  readonly weights: Float32Array
}

export function stackRows(rows: readonly { columns: Uint32Array; weights: Float32Array }[]): SparseRows {
  const offsets = new Uint32Array(rows.length + 1)
  for (const [row, { columns }] of rows.entries()) offsets[row + 1] = offsets[row]! + columns.length
  const total = offsets[rows.length]!
  const stacked = { offsets, columns: new Uint32Array(total), weights: new Float32Array(total) }
  for (const [row, { columns, weights }] of rows.entries()) {
    stacked.columns.set(columns, offsets[row])
    stacked.weights.set(weights, offsets[row])
  }
  return stacked
}

/** Dot product of row `i` of one matrix and row `j` of another, whose columns ascend: of rows of length 1 the cosine. */
export function dot(a: SparseRows, i: number, b: SparseRows, j: number): number {
  let [left, right] = [a.offsets[i]!, b.offsets[j]!]
  const [leftEnd, rightEnd] = [a.offsets[i + 1]!, b.offsets[j + 1]!]
  let sum = 0
  while (left < leftEnd && right < rightEnd) {
    const difference = a.columns[left]! - b.columns[right]!
    if (difference === 0) sum += a.weights[left]! * b.weights[right]!
    if (difference <= 0) left += 1
    if (difference >= 0) right += 1
  }
  return sum
}

/** Rows as columns. @param count of the columns that the rows may have. */
export function transpose({ offsets, columns, weights }: SparseRows, count: number): SparseRows {
  const end = offsets.at(-1)!
  const starts = new Uint32Array(count + 1)
  for (let at = 0; at < end; at++) starts[columns[at]! + 1]! += 1
  for (let column = 0; column < count; column++) starts[column + 1]! += starts[column]!
  const next = starts.slice()
  const turned = { offsets: starts, columns: new Uint32Array(end), weights: new Float32Array(end) }
  for (let row = 0; row + 1 < offsets.length; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const place = next[columns[at]!]!++
      turned.columns[place] = row
      turned.weights[place] = weights[at]!
    }
  }
  return turned
}
