import { describe, expect, it } from 'vitest'
import { trace } from '../../test/support/traces.ts'
import type { Trace } from '../kernel/tracing.ts'
import { combineSinks, createTraceSink } from './trace-sink.ts'

const log = { warn: () => {} }

describe('the trace sink', () => {
  it('takes a trace without waiting for the store, and hands it over in batches', async () => {
    const batches: number[] = []
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const store = async (traces: readonly Trace[]) => {
      await gate
      batches.push(traces.length)
    }
    const sink = createTraceSink({ name: 'traces', store, maxBatch: 50, intervalMs: 3_600_000, log })
    for (let i = 0; i < 120; i++) sink.record(trace())
    const flushed = sink.flush()
    expect(sink.stats()).toEqual({ queued: 70, dropped: 0 })
    release()
    await flushed
    expect(batches).toEqual([50, 50, 20])
    await sink.close()
  })

  it('drops and counts what comes while too many wait', async () => {
    const sink = createTraceSink({ name: 'traces', store: async () => {}, maxQueued: 3, intervalMs: 3_600_000, log })
    for (let i = 0; i < 10; i++) sink.record(trace())
    expect(sink.stats()).toEqual({ queued: 3, dropped: 7 })
    await sink.close()
  })

  it('shares a trace among several', () => {
    const seen: string[] = []
    const sinks = ['a', 'b'].map((name) => ({ record: ({ traceId }: Trace) => void seen.push(`${name} ${traceId}`) }))
    combineSinks(...sinks).record(trace({ traceId: 'one' }))
    expect(seen).toEqual(['a one', 'b one'])
  })
})
