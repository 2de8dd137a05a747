import { DIMENSIONS, type VectorFile } from './format.ts'
import { difference, putSigns, SIGN_WORDS, signsOf, smallest } from './signs.ts'
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

interface FamilyRow {
  row: number
  cosine: number
}

/** Of each family its best row, the nearest families first. */
function nearestFamilies(question: Float32Array, file: VectorFile): FamilyRow[] {
  const { families, perFamily } = file
  const best = new Map<number, FamilyRow>()
  for (const row of promising(question, file)) {
    let sum = 0
    for (let d = 0, at = row * DIMENSIONS; d < DIMENSIONS; d++) sum += question[d]! * families.values[at + d]!
    const cosine = sum * families.scales[row]!
    const family = Math.floor(row / perFamily)
    if (cosine > (best.get(family)?.cosine ?? -1)) best.set(family, { row, cosine })
  }
  return [...best.values()].sort((a, b) => b.cosine - a.cosine).slice(0, NEAREST)
}

/** Rows that are compared exactly, of more than ten thousand: the five nearest families are among these. */
const PROMISING = 400

const signsByFile = new WeakMap<VectorFile, { signs: Uint32Array; centre: Float32Array }>()

function promising(question: Float32Array, file: VectorFile): number[] {
  const { signs, centre } = signsByFile.get(file) ?? takeSigns(file)
  const asked = signsOf(question, centre)
  const differences = new Uint8Array(file.families.count)
  for (let row = 0; row < differences.length; row++) differences[row] = difference(signs, row * SIGN_WORDS, asked)
  return smallest(differences, PROMISING)
}

/** Once, in some milliseconds: the signs of all rows, less what they have in common. */
function takeSigns(file: VectorFile): { signs: Uint32Array; centre: Float32Array } {
  const { count, scales, values } = file.families
  const centre = new Float32Array(DIMENSIONS)
  for (let row = 0; row < count; row++) addRow(centre, file.families, row, 1 / count)
  const signs = new Uint32Array(count * SIGN_WORDS)
  for (let row = 0; row < count; row++) {
    putSigns(signs, row * SIGN_WORDS, { values, start: row * DIMENSIONS, scale: scales[row]! }, centre)
  }
  const taken = { signs, centre }
  signsByFile.set(file, taken)
  return taken
}
