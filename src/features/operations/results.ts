import { ci95, type Sample, welchTest } from './statistics.ts'
import type { Experiment, MetricRow, UnitCount } from './types.ts'
import { countDistinct } from './units.ts'

export interface MetricSummary {
  mean: number
  count: number
  /** Of the sample; null for a single value. */
  stddev: number | null
  /** Low and high end of the 95 % confidence interval of the mean; null for a single value. */
  ci95: [number, number] | null
}

export interface Comparison {
  metric: string
  baseline: string
  variant: string
  /** The variant's mean less the baseline's. */
  difference: number
  /** How likely a difference at least as large is by chance; null when it cannot be told. */
  pValue: number | null
}

export interface ExperimentResults {
  name: string
  /** `samples`: values recorded; `units`: the different sessions or customers that they came from, where that is known. */
  variants: Record<string, { samples: number; units: number; metrics: Record<string, MetricSummary> }>
  comparison: Comparison[]
}

/** Every variant with what was recorded of it, and each of them compared with the first one. */
export function toResults(
  { name, variants }: Experiment,
  rows: readonly MetricRow[],
  counts: readonly UnitCount[],
): ExperimentResults {
  const entries = variants.map((variant) => {
    const own = rows.filter((row) => row.variant === variant)
    const metrics = Object.fromEntries(own.map((row) => [row.metric, summarise(row)]))
    const kept = counts.find((each) => each.variant === variant)
    const units = kept ? countDistinct(kept) : 0
    return [variant, { samples: own.reduce((sum, { count }) => sum + count, 0), units, metrics }]
  })
  return { name, variants: Object.fromEntries(entries), comparison: compare(variants, rows) }
}

function compare([baseline, ...others]: readonly string[], rows: readonly MetricRow[]): Comparison[] {
  const metrics = [...new Set(rows.map(({ metric }) => metric))]
  const find = (variant: string | undefined, metric: string) =>
    rows.find((row) => row.variant === variant && row.metric === metric)
  return metrics.flatMap((metric) =>
    others.flatMap((variant) => {
      const [a, b] = [find(baseline, metric), find(variant, metric)]
      if (!a || !b || baseline === undefined) return []
      const test = welchTest(toSample(b), toSample(a))
      return [{ metric, baseline, variant, difference: b.mean - a.mean, pValue: test?.pValue ?? null }]
    }),
  )
}

function summarise(row: MetricRow): MetricSummary {
  const sample = toSample(row)
  return { mean: row.mean, count: row.count, stddev: sample.stddev, ci95: ci95(sample) }
}

function toSample({ count, mean, squares }: MetricRow): Sample {
  // Rounding may leave the sum of squares of equal values a hair below zero.
  return { count, mean, stddev: count > 1 ? Math.sqrt(Math.max(0, squares) / (count - 1)) : null }
}
