import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'

/** The share of units that each variant gets; fractions in 0..1 that sum to 1. */
export type TrafficSplit = Readonly<Record<string, number>>

/** How far the fractions may be from 1 together: room for a third written with six digits, not for a forgotten percent. */
const SUM_TOLERANCE = 1e-5

/** Bytes of the hash that are used: six give 2^48 equal steps, which a number holds exactly. */
const HASH_BYTES = 6

/**
 * Throws `invalid` (`traffic_split`), naming what is wrong, unless `split` gives each of the distinct `variants` a fraction and
 * nothing else.
 */
export function assertTrafficSplit(variants: readonly string[], split: TrafficSplit): void {
  if (variants.length === 0) throw invalid('variants', 'must name at least one variant')
  if (variants.some((variant) => variant === '')) throw invalid('variants', 'must not be empty strings')
  if (new Set(variants).size !== variants.length) throw invalid('variants', 'must be distinct')
  for (const variant of variants) {
    if (!Object.hasOwn(split, variant)) throw invalid('traffic_split', `gives no fraction for ${quote(variant)}`)
  }
  for (const [name, fraction] of Object.entries(split)) {
    if (!variants.includes(name)) throw invalid('traffic_split', `names ${quote(name)}, which is no variant`)
    if (!(fraction >= 0 && fraction <= 1)) throw invalid('traffic_split', `${quote(name)} must be between 0 and 1`)
  }
  const sum = Object.values(split).reduce((total, fraction) => total + fraction, 0)
  if (Math.abs(sum - 1) > SUM_TOLERANCE) throw invalid('traffic_split', `must sum to 1, but sums to ${round(sum)}`)
}

/**
 * The variant of `unit` (a session or customer id) in `experiment`: always the same one while the split stands, by the split over
 * many units, and independent of other experiments. The order of `variants` decides which range is whose, so it must be
 * kept as given; moving a fraction between neighbours moves only the units of that fraction.
 */
export function assignVariant(
  experiment: string,
  unit: string,
  variants: readonly string[],
  split: TrafficSplit,
): string | null {
  const point = hashFraction(experiment, unit)
  let upper = 0
  for (const variant of variants) {
    upper += Object.hasOwn(split, variant) ? (split[variant] ?? 0) : 0
    if (point < upper) return variant
  }
  // Rounding may leave the sum a hair below 1; what falls into the gap belongs to the last variant that gets anything.
  return variants.findLast((variant) => Object.hasOwn(split, variant) && (split[variant] ?? 0) > 0) ?? null
}

/** A number in 0 (included) to 1 (excluded), uniform over units. The length in front keeps ('ab', 'c') apart from ('a', 'bc'). */
function hashFraction(experiment: string, unit: string): number {
  const hash = createHash('sha256').update(`${experiment.length}:${experiment}${unit}`).digest()
  return hash.readUIntBE(0, HASH_BYTES) / 2 ** (8 * HASH_BYTES)
}

function invalid(field: string, why: string): AppError {
  return new AppError('invalid', 'traffic_split', `${field}: ${why}`)
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 80))
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
