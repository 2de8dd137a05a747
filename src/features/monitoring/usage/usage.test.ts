import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts'
import type { ModelCall } from '../../../ai/model/port.ts'
import { createBatchWriter } from '../../../platform/batch-writer.ts'
import { parsePrices } from './prices.ts'
import type { ModelCallRow } from './queries.ts'
import { createUsage, type Usage, type UsageSum, WINDOWS_MS } from './usage.ts'

const prices = parsePrices('currency: EUR\nmodels:\n  priced: {input: 1, output: 4}\n  free: {input: 0, output: 0}')
const log = { warn: () => {} }
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const clock = createManualClock()
function replica() {
  const openWriter = (write: (calls: readonly ModelCallRow[]) => Promise<void>) =>
    createBatchWriter<ModelCallRow>({ name: 'model_calls', write, maxBatch: 3, intervalMs: 3_600_000, log })
  return createUsage({ db: database.db, clock, openWriter, prices })
}

const anyCall: fc.Arbitrary<ModelCall> = fc.record({
  agent: fc.constantFrom('knowledge', 'composer', '__proto__'),
  tier: fc.constantFrom('light' as const, 'strong' as const),
  model: fc.constantFrom('priced', 'free', 'unpriced'),
  usage: fc.record({
    inputTokens: fc.nat({ max: 100_000 }),
    outputTokens: fc.nat({ max: 10_000 }),
    estimated: fc.boolean(),
  }),
  attempts: fc.nat({ max: 3 }),
  firstTokenMs: fc.option(fc.double({ min: 0, max: 1e4, noNaN: true })),
  durationMs: fc.double({ min: 0, max: 1e5, noNaN: true }),
  outcome: fc.constantFrom('ok' as const, 'timeout' as const, 'circuit_open' as const),
})

describe('token usage', () => {
  it('reports exactly the calls of each window, over two replicas', async () => {
    const replicas = [replica(), replica()] as const
    const made: { at: number; call: ModelCall }[] = []
    const step = fc.record({ call: anyCall, after: fc.nat({ max: 20 * 60_000 }), second: fc.boolean() })
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      for (const { call, after, second } of steps) {
        clock.advance(after)
        replicas[second ? 1 : 0].onCall(call)
        made.push({ at: clock.now(), call })
      }
      await replicas[1].report('minute')
      for (const window of ['minute', 'hour', 'day'] as const) {
        const since = clock.now() - WINDOWS_MS[window]
        const report = await replicas[0].report(window)
        expect([report.from.getTime(), report.to.getTime()]).toEqual([since, clock.now()])
        const reached = made.filter(({ at, call }) => at > since && call.attempts > 0)
        expectSums(
          report,
          reached.map(({ call }) => call),
        )
      }
    })
    await fc.assert(property, { numRuns: 25 })
    await Promise.all(replicas.map((each) => each.close()))
  })

  it('is there after a restart', async () => {
    clock.advance(2 * 86_400_000)
    const usage = replica()
    const call = { agent: 'a', tier: 'light' as const, model: 'priced', attempts: 1, firstTokenMs: null, durationMs: 5 }
    usage.onCall({ ...call, usage: { inputTokens: 1_000_000, outputTokens: 1, estimated: false }, outcome: 'ok' })
    await usage.close()
    expect(await replica().report('minute')).toMatchObject({
      total: { inputTokens: 1_000_000, outputTokens: 1, totalTokens: 1_000_001, calls: 1, cost: 1.000004 },
      currency: 'EUR',
    })
  })
})

function expectSums(report: Awaited<ReturnType<Usage['report']>>, calls: readonly ModelCall[]): void {
  const group = (key: (call: ModelCall) => string) =>
    Object.fromEntries([...Map.groupBy(calls, key)].map(([name, own]) => [name, sumOf(own)]))
  expect(report).toMatchObject({
    total: sumOf(calls),
    estimated: calls.some(({ usage }) => usage.estimated),
    unpricedModels: calls.some(({ model }) => model === 'unpriced') ? ['unpriced'] : [],
  })
  expect(report.byModel).toEqual(group(({ model }) => model))
  expect(report.byAgent).toEqual(group(({ agent }) => agent))
}

function sumOf(calls: readonly ModelCall[]): UsageSum {
  const inputTokens = calls.reduce((sum, { usage }) => sum + usage.inputTokens, 0)
  const outputTokens = calls.reduce((sum, { usage }) => sum + usage.outputTokens, 0)
  const priced = calls.filter(({ model }) => model !== 'unpriced')
  const cost = priced
    .filter(({ model }) => model === 'priced')
    .reduce((sum, { usage }) => sum + (usage.inputTokens + 4 * usage.outputTokens) / 1e6, 0)
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    calls: calls.length,
    cost: priced.length === 0 ? null : expect.closeTo(cost, 9),
  }
}
