import { studentCritical, studentTwoSided } from './student-t.ts'

/** Statistics of a metric's values. `stddev` is the sample's (divided by count - 1) and null for a single value. */
export type Sample = { count: number; mean: number; stddev: number | null }

/** `pValue`: how likely a difference at least this large is when there is none, 0..1. */
export type WelchResult = { t: number; degreesOfFreedom: number; pValue: number }

/** Moments by which values can be merged: `squares` is the sum of squared deviations from the mean. */
export interface Moments {
  count: number
  mean: number
  squares: number
}

/** Welford's recurrence: sums of squares lose digits when the mean is large. */
export function momentsOf(values: readonly number[]): Moments {
  let mean = 0
  let squares = 0
  for (const [index, value] of values.entries()) {
    const delta = value - mean
    mean += delta / (index + 1)
    squares += delta * (value - mean)
  }
  return { count: values.length, mean, squares }
}

export function sampleOf({ count, mean, squares }: Moments): Sample {
  // Rounding may leave the sum of squares of equal values a hair below zero.
  return { count, mean, stddev: count > 1 ? Math.sqrt(Math.max(0, squares) / (count - 1)) : null }
}

/** The 95 % confidence interval of the mean as [low, high], by Student's t; null when there are fewer than two values. */
export function ci95({ count, mean, stddev }: Sample): [number, number] | null {
  if (count < 2 || stddev === null) return null
  const margin = (studentCritical(0.05, count - 1) * stddev) / Math.sqrt(count)
  return [mean - margin, mean + margin]
}

/**
 * How far two means lie apart, with the interval of that at a level (0.05: 95 %) and how likely so large a difference is by
 * chance. Where no value varies there is no chance in it. Null with fewer than two values on a side.
 */
export function differenceOf(
  a: Sample,
  b: Sample,
  level: number,
): { difference: number; interval: [number, number]; pValue: number } | null {
  if (a.count < 2 || b.count < 2 || a.stddev === null || b.stddev === null) return null
  const difference = a.mean - b.mean
  const test = welchTest(a, b)
  if (!test) return { difference, interval: [difference, difference], pValue: difference === 0 ? 1 : 0 }
  const error = Math.sqrt(a.stddev ** 2 / a.count + b.stddev ** 2 / b.count)
  const margin = studentCritical(level, test.degreesOfFreedom) * error
  return { difference, interval: [difference - margin, difference + margin], pValue: test.pValue }
}

/**
 * Welch's two-sided t-test of equal means, which assumes neither equal variances nor equal sizes. Null when it cannot be made:
 * fewer than two values on a side, or no variation on either.
 * Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved",
 * Biometrika 34 (1947), with the degrees of freedom of Satterthwaite.
 */
export function welchTest(a: Sample, b: Sample): WelchResult | null {
  if (a.count < 2 || b.count < 2 || a.stddev === null || b.stddev === null) return null
  const errorA = a.stddev ** 2 / a.count
  const errorB = b.stddev ** 2 / b.count
  const error = errorA + errorB
  if (error === 0) return null
  const shareA = errorA / error
  const degreesOfFreedom = 1 / (shareA ** 2 / (a.count - 1) + (1 - shareA) ** 2 / (b.count - 1))
  const t = (a.mean - b.mean) / Math.sqrt(error)
  return { t, degreesOfFreedom, pValue: studentTwoSided(t, degreesOfFreedom) }
}
