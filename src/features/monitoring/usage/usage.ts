import type { ModelCall } from '../../../ai/model/port.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { sharedReading } from '../../../kernel/shared-reading.ts'
import type { BatchWriter } from '../../../platform/batch-writer.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { costOf, type Prices } from './prices.ts'
import { insertModelCalls, type ModelCallRow, readUsage, type UsageRow } from './queries.ts'

export const WINDOWS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
export type UsageWindow = keyof typeof WINDOWS_MS

export interface UsageSum {
  inputTokens: number
  outputTokens: number
  totalTokens: number
  calls: number
  /** Null: none of the models has a price. Otherwise that of those which have one. */
  cost: number | null
}

export interface UsageOptions {
  db: Database
  clock: Clock
  openWriter: (write: (calls: readonly ModelCallRow[]) => Promise<void>) => BatchWriter<ModelCallRow>
  prices: Prices
}

export type Usage = ReturnType<typeof createUsage>

/** Tokens and calls of the models, over all replicas. */
export function createUsage({ db, clock, openWriter, prices }: UsageOptions) {
  const { push, flush, close, stats } = openWriter((calls) => insertModelCalls(db.executor, calls))
  const reportOf = (window: UsageWindow) =>
    sharedReading(async () => {
      await flush()
      const to = new Date(clock.now())
      const from = new Date(to.getTime() - WINDOWS_MS[window])
      return { from, to, ...summarise(await readUsage(db.executor, from), prices) }
    })
  const reports = { minute: reportOf('minute'), hour: reportOf('hour'), day: reportOf('day') }
  return {
    /** For the chat model: takes a finished call at once and never throws. */
    onCall: (call: ModelCall): void => push(toRow(call, clock.now())),

    report: (window: UsageWindow) => reports[window](),

    queue: stats,
    flush,
    close,
  }
}

/** Sums by model and by agent. */
function summarise(rows: readonly UsageRow[], prices: Prices) {
  const sums = (key: (row: UsageRow) => string): Record<string, UsageSum> => {
    const groups = [...Map.groupBy(rows, key)].map(([name, own]) => [name, sumOf(own, prices)])
    return Object.fromEntries(groups)
  }
  const models = [...new Set(rows.map(({ model }) => model))]
  return {
    total: sumOf(rows, prices),
    byModel: sums(({ model }) => model),
    byAgent: sums(({ agent }) => agent),
    /** Some of it is our estimate, because an endpoint reported no usage. */
    estimated: rows.some(({ estimated }) => estimated),
    /** Null without a price file. */
    currency: prices.currency || null,
    unpricedModels: models.filter((model) => !prices.models.has(model)),
  }
}

function sumOf(rows: readonly UsageRow[], prices: Prices): UsageSum {
  const sum: UsageSum = { inputTokens: 0, outputTokens: 0, totalTokens: 0, calls: 0, cost: null }
  for (const row of rows) {
    sum.inputTokens += row.inputTokens
    sum.outputTokens += row.outputTokens
    sum.totalTokens += row.inputTokens + row.outputTokens
    sum.calls += row.calls
    const cost = costOf(prices, row.model, row)
    if (cost !== null) sum.cost = (sum.cost ?? 0) + cost
  }
  return sum
}

function toRow({ usage, ...call }: ModelCall, endedAtMs: number): ModelCallRow {
  return { ...call, ...usage, callId: newUuid(), endedAt: new Date(endedAtMs).toISOString() }
}
