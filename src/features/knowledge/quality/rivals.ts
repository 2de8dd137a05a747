import { toSet } from '../../../kernel/sorted-sets.ts'
import { agree, isComparable } from './matter.ts'
import { type Banding, bucketsOf, meetInBand, mix, signatureOf } from './minhash.ts'
import type { Statement } from './statements.ts'
import type { Weight } from './term-sets.ts'

/** Up to here every two statements of a measure are compared. */
const FEW = 1_000
/** Statements that have half of their words in common share a bucket with 97 %; a third of them, with 65 %. */
const BANDING: Banding = { bands: 28, rows: 3 }
/** Of a rare word, in the set by which statements meet. */
const MAX_COPIES = 5
/** A larger bucket, whose statements have common words only, is divided by further hashes into parts of this size. */
const LARGE = 32
const PART = 12
const MAX_DIVISIONS = 4
/** A bucket that cannot be divided is compared by samples: values, and statements of each. */
const MAX_VALUES = 6
const MAX_PER_VALUE = 2

/**
 * Visits pairs of different documents that measure the same and differ in their value: all of them among few statements,
 * among many those that share words. A pair may be visited more than once.
 */
export function forEachRival(
  statements: readonly Statement[],
  weight: Weight,
  visit: (a: Statement, b: Statement) => void,
): void {
  for (const group of Map.groupBy(statements, ({ measure }) => measure).values()) {
    if (group.length > FEW) visitMany(group, weight, visit)
    else forEachPair(group.length, (i, j) => areRivals(group[i]!, group[j]!) && visit(group[i]!, group[j]!))
  }
}

function visitMany(
  statements: readonly Statement[],
  weight: Weight,
  visit: (a: Statement, b: Statement) => void,
): void {
  const signatures = statements.map((each) => signatureOf(sketchOf(each, weight), BANDING))
  /** In which bands a statement was compared with everything in its bucket, as bits. */
  const done = new Uint32Array(statements.length)
  for (const { band, members } of bucketsOf(signatures, BANDING)) {
    for (const part of divide(members, band, signatures, statements, 0)) {
      forEachPair(part.length, (x, y) => {
        const i = part[x]!
        const j = part[y]!
        if (!areRivals(statements[i]!, statements[j]!)) return
        if (!meetInBand(signatures[i]!, signatures[j]!, done[i]! & done[j]!, BANDING)) {
          visit(statements[i]!, statements[j]!)
        }
      })
    }
    if (members.length <= LARGE) for (const member of members) done[member]! |= 1 << band
  }
}

function areRivals(a: Statement, b: Statement): boolean {
  return a.document !== b.document && !agree(a, b) && isComparable(a, b)
}

function forEachPair(count: number, visit: (i: number, j: number) => void): void {
  for (let j = 1; j < count; j++) for (let i = 0; i < j; i++) visit(i, j)
}

/** Parts of a bucket that are small enough to compare everything in them. */
function divide(
  bucket: readonly number[],
  band: number,
  signatures: readonly Uint32Array[],
  statements: readonly Statement[],
  division: number,
): readonly (readonly number[])[] {
  if (bucket.length <= (division === 0 ? LARGE : PART)) return [bucket]
  if (division === MAX_DIVISIONS) return [sampleOf(bucket, statements)]
  const place = ((band + 1) * BANDING.rows + division) % (BANDING.bands * BANDING.rows)
  const parts = Map.groupBy(bucket, (each) => signatures[each]![place]!)
  return [...parts.values()].flatMap((part) => divide(part, band, signatures, statements, division + 1))
}

/** A few statements of each of the first values: of a thousand equal ones and one that differs, both kinds. */
function sampleOf(bucket: readonly number[], statements: readonly Statement[]): number[] {
  const byValue = Map.groupBy(bucket, (each) => `${statements[each]!.low} ${statements[each]!.high}`)
  return [...byValue.values()].slice(0, MAX_VALUES).flatMap((same) => same.slice(0, MAX_PER_VALUE))
}

/**
 * The set by which statements meet: their words, rare ones several times, so that in a catalogue, where every sentence
 * is like the others, those about the same product meet.
 */
function sketchOf({ about, topic }: Statement, weight: Weight): Uint32Array {
  const elements: number[] = []
  for (const term of [...about, ...topic]) {
    const copies = Math.min(MAX_COPIES, Math.max(1, Math.round(weight(term) / 2)))
    for (let copy = 0; copy < copies; copy++) elements.push(mix(term * MAX_COPIES + copy))
  }
  return toSet(Uint32Array.from(elements))
}
