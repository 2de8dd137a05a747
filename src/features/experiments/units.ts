import { createHash } from 'node:crypto'
import type { UnitCount } from './types.ts'

/** Hashes kept of a variant's units: up to so many are counted exactly, more with a standard error of 2.2 %. */
export const KEPT_UNITS = 2_000

/** A number from 0 to 2^63 - 1, uniform over units and different for each experiment, as decimal digits. */
export function hashUnit(experimentId: string, unit: string): string {
  const hash = createHash('sha256').update(`${experimentId} ${unit}`).digest()
  return (hash.readBigUInt64BE(0) >> 1n).toString()
}

/**
 * How many different units there were, told from the smallest hashes.
 * Source: Z. Bar-Yossef et al., "Counting Distinct Elements in a Data Stream" (RANDOM 2002), algorithm I.
 */
export function countDistinct({ count, share }: Pick<UnitCount, 'count' | 'share'>, kept = KEPT_UNITS): number {
  return count < kept ? count : Math.round((kept - 1) / share)
}
