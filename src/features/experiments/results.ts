import { judge } from './judgement.ts'
import { ci95, sampleOf, welchTest } from './statistics.ts'
import type { Experiment, MetricRow, UnitCount } from './types.ts'
import { countDistinct } from './units.ts'

export type ExperimentResults = ReturnType<typeof toResults>

/**
 * Every variant with what was recorded of it, and each of them compared with the first one. `samples`: values recorded;
 * `units`: the different sessions or customers that they came from, where that is known.
 */
export function toResults(experiment: Experiment, rows: readonly MetricRow[], counts: readonly UnitCount[]) {
  const { name, variants, endedAt } = experiment
  const entries = variants.map((variant) => {
    const own = rows.filter((row) => row.variant === variant)
    const metrics = Object.fromEntries(own.map((row) => [row.metric, summarise(row)]))
    const kept = counts.find((each) => each.variant === variant)
    const units = kept ? countDistinct(kept) : 0
    return [variant, { samples: own.reduce((sum, { count }) => sum + count, 0), units, metrics }]
  })
  return {
    name,
    state: endedAt ? ('ended' as const) : ('running' as const),
    variants: Object.fromEntries(entries),
    comparison: compare(variants, rows),
    judgement: judge(experiment, rows),
  }
}

function compare([baseline, ...others]: readonly string[], rows: readonly MetricRow[]) {
  const metrics = [...new Set(rows.map(({ metric }) => metric))]
  const find = (variant: string | undefined, metric: string) =>
    rows.find((row) => row.variant === variant && row.metric === metric)
  return metrics.flatMap((metric) =>
    others.flatMap((variant) => {
      const [a, b] = [find(baseline, metric), find(variant, metric)]
      if (!a || !b || baseline === undefined) return []
      const test = welchTest(sampleOf(b), sampleOf(a))
      // How likely a difference at least as large is by chance; null when it cannot be told.
      return [{ metric, baseline, variant, difference: b.mean - a.mean, pValue: test?.pValue ?? null }]
    }),
  )
}

function summarise(row: MetricRow) {
  const sample = sampleOf(row)
  return { ...sample, ci95: ci95(sample) }
}
