import { DIMENSIONS, type Rows, toRows } from '../../src/ai/embedder/vectors/format.ts'
import type { Family } from './families.ts'
import { dot, sumOf, type Text } from './train.ts'

/** Vectors that stand for a family: so many of each language. */
const PER_LANGUAGE = 2
export const PER_FAMILY = 2 * PER_LANGUAGE
const ROUNDS = 8

/** The vectors by which a question finds the families that say the same: of each language the centres of its wordings. */
export function representatives(families: readonly Family[], rows: Float32Array, encode: (text: string) => Text): Rows {
  const values = new Float32Array(families.length * PER_FAMILY * DIMENSIONS)
  for (const [f, { zh, en, titles }] of families.entries()) {
    for (const [l, texts] of [
      [...zh, titles.zh],
      [...en, titles.en],
    ].entries()) {
      const vectors = texts.map((text) => unit(sumOf(rows, encode(text)))).filter((vector) => dot(vector, vector) > 0)
      for (const [c, centre] of centres(vectors).entries()) {
        values.set(centre, (f * PER_FAMILY + l * PER_LANGUAGE + c) * DIMENSIONS)
      }
    }
  }
  return toRows(values)
}

/** Two centres by k-means over directions, begun with the first vector and the one least like it. */
function centres(vectors: readonly Float32Array[]): Float32Array[] {
  const [first] = vectors
  if (!first) return []
  let means = [first, vectors.toSorted((a, b) => dot(a, first) - dot(b, first))[0] as Float32Array]
  for (let round = 0; round < ROUNDS; round++) {
    const groups = Map.groupBy(vectors, (vector) =>
      dot(vector, means[0] as Float32Array) >= dot(vector, means[1] as Float32Array) ? 0 : 1,
    )
    means = means.map((mean, i) => {
      const own = groups.get(i as 0 | 1) ?? []
      return own.length === 0
        ? mean
        : unit(own.reduce((sum, vector) => sum.map((value, d) => value + vector[d]!), new Float32Array(DIMENSIONS)))
    })
  }
  return means
}

export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((value) => value / length)
}
