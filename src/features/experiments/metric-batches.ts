import { momentsOf } from './statistics.ts'
import type { MetricBatch, UnitRow } from './types.ts'
import { hashUnit } from './units.ts'

/** One recorded value. */
export interface Recorded {
  experimentId: string
  variant: string
  metric: string
  value: number
  /** The session or customer that it was measured by, where that is known. */
  unit?: string
}

/** Count, mean and squared deviations of values by experiment, variant and metric. */
export function toBatches(values: readonly Recorded[]): MetricBatch[] {
  const groups = Map.groupBy(values, ({ experimentId, variant, metric }) =>
    JSON.stringify([experimentId, variant, metric]),
  )
  return [...groups.values()].map((group) => {
    const { experimentId, variant, metric } = group[0] as Recorded
    return { experimentId, variant, metric, ...momentsOf(group.map(({ value }) => value)) }
  })
}

/** Whom the values were measured by, each once. */
export function toUnits(values: readonly Recorded[]): UnitRow[] {
  const units = values.flatMap(({ experimentId, variant, unit }) =>
    unit === undefined ? [] : [{ experimentId, variant, unit: hashUnit(experimentId, unit) }],
  )
  return [...new Map(units.map((each) => [JSON.stringify(each), each])).values()]
}
