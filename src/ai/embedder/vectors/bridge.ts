import { DIMENSIONS, type VectorFile } from './format.ts'
import { addRow, openVectors, toUnit } from './store.ts'

const NEAREST = 5
/** A family weighs e times less for each twentieth of cosine that it is farther. */
const SHARPNESS = 20
/** A family this near counts like none at all: what resembles nothing that was learned stays as it is. */
const INDIFFERENT = 0.45

/**
 * A question's meaning moved towards the families of wordings that say the same, so that what customers say comes nearer
 * to what pages say. @param question of length 1 @param weight of the families beside the question
 */
export function bridged(question: Float32Array, weight: number, file: VectorFile = openVectors()): Float32Array {
  const nearest = nearestFamilies(question, file)
  const shared = nearest.map(({ cosine }) => Math.exp(SHARPNESS * (cosine - 1)))
  const total = shared.reduce((sum, each) => sum + each, Math.exp(SHARPNESS * (INDIFFERENT - 1)))
  const moved = question.slice()
  for (const [i, { row, cosine }] of nearest.entries()) {
    if (cosine > 0) addRow(moved, file.families, row, (weight * (shared[i] as number)) / total)
  }
  return toUnit(moved)
}

/** Of each family its best row, the nearest families first. */
function nearestFamilies(
  question: Float32Array,
  { families, perFamily }: VectorFile,
): { row: number; cosine: number }[] {
  const best: { row: number; cosine: number }[] = []
  const { scales, values, count } = families
  for (let first = 0; first < count; first += perFamily) {
    let [row, cosine] = [first, -1]
    for (let other = first; other < first + perFamily; other++) {
      let sum = 0
      for (let d = 0, at = other * DIMENSIONS; d < DIMENSIONS; d++) sum += question[d]! * values[at + d]!
      const own = sum * scales[other]!
      if (own > cosine) [row, cosine] = [other, own]
    }
    if (best.length === NEAREST && cosine <= (best.at(-1) as { cosine: number }).cosine) continue
    best.push({ row, cosine })
    best.sort((a, b) => b.cosine - a.cosine)
    if (best.length > NEAREST) best.pop()
  }
  return best
}
