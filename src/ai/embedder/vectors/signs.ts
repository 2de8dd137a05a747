import { DIMENSIONS } from './format.ts'

/** Words of 32 bits that hold the signs of a vector's dimensions. */
export const SIGN_WORDS = DIMENSIONS / 32

/** Writes the signs of a row of bytes, less a centre. Vectors that are alike have like signs, and those compare 50 times as fast. */
export function putSigns(
  signs: Uint32Array,
  at: number,
  row: { values: Int8Array; start: number; scale: number },
  centre: ArrayLike<number>,
): void {
  for (let word = 0; word < SIGN_WORDS; word++) {
    let bits = 0
    for (let bit = 0; bit < 32; bit++) {
      const d = word * 32 + bit
      if (row.values[row.start + d]! * row.scale > centre[d]!) bits |= 1 << bit
    }
    signs[at + word] = bits
  }
}

export function signsOf(vector: ArrayLike<number>, centre?: ArrayLike<number>): Uint32Array {
  const signs = new Uint32Array(SIGN_WORDS)
  for (let d = 0; d < DIMENSIONS; d++) if (vector[d]! > (centre?.[d] ?? 0)) signs[d >> 5]! |= 1 << (d & 31)
  return signs
}

/** In how many dimensions signs differ from those asked for. */
export function difference(signs: Uint32Array, at: number, asked: Uint32Array): number {
  return (
    ones(signs[at]! ^ asked[0]!) +
    ones(signs[at + 1]! ^ asked[1]!) +
    ones(signs[at + 2]! ^ asked[2]!) +
    ones(signs[at + 3]! ^ asked[3]!)
  )
}

/** The places of so many of the smallest differences, in order of place. */
export function smallest(differences: Uint8Array, wanted: number): number[] {
  const histogram = new Uint32Array(DIMENSIONS + 1)
  for (let i = 0; i < differences.length; i++) histogram[differences[i]!]!++
  let limit = 0
  let nearer = 0
  while (limit < DIMENSIONS && nearer + histogram[limit]! < wanted) nearer += histogram[limit++]!
  let places = wanted - nearer
  const found: number[] = []
  for (let i = 0; i < differences.length; i++) {
    if (differences[i]! < limit || (differences[i] === limit && places-- > 0)) found.push(i)
  }
  return found
}

/** How many bits are set. */
function ones(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
