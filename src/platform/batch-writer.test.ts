import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../kernel/errors.ts'
import { type BatchWriterOptions, createBatchWriter } from './batch-writer.ts'

const HOUR_MS = 3_600_000
const away = () => new AppError('unavailable', 'database_unavailable', 'away')
const log = { warn: () => {} }

function setUp(write: BatchWriterOptions<number>['write'], options: Partial<BatchWriterOptions<number>> = {}) {
  return createBatchWriter<number>({ name: 'numbers', write, intervalMs: HOUR_MS, log, ...options })
}

describe('a batch writer', () => {
  it('writes in order, in batches of the given size', async () => {
    const batches: number[][] = []
    const writer = setUp(async (items) => void batches.push([...items]), { maxBatch: 2 })
    writer.push(1)
    expect(batches).toEqual([])
    for (const item of [2, 3, 4, 5]) writer.push(item)
    await writer.close()
    expect(batches).toEqual([[1, 2], [3, 4], [5]])
  })

  it('writes a full batch at once, so that a rush does not fill it, but does not insist while nothing can be written', async () => {
    let attempts = 0
    let isAway = false
    const writer = setUp(
      async () => {
        attempts += 1
        if (isAway) throw away()
      },
      { maxBatch: 2, maxQueued: 4 },
    )
    for (let item = 0; item < 20; item++) {
      writer.push(item)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect([attempts, writer.stats()]).toEqual([10, { queued: 0, dropped: 0 }])
    isAway = true
    for (let item = 0; item < 20; item++) {
      writer.push(item)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect([attempts, writer.stats()]).toEqual([11, { queued: 4, dropped: 16 }])
    isAway = false
    await writer.close()
    expect(writer.stats().queued).toBe(0)
  })

  it('writes by itself after the interval', async () => {
    const written: number[] = []
    let arrived = (): void => {}
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const writer = setUp(
      async (items) => {
        written.push(...items)
        arrived()
      },
      { intervalMs: 5 },
    )
    writer.push(1)
    await arrival
    expect(written).toEqual([1])
    await writer.close()
  })

  it('drops and counts what comes when it is full', async () => {
    const writer = setUp(async () => {}, { maxQueued: 2 })
    for (const item of [1, 2, 3, 4]) writer.push(item)
    expect(writer.stats()).toEqual({ queued: 2, dropped: 2 })
    await writer.close()
    expect(writer.stats()).toEqual({ queued: 0, dropped: 2 })
  })

  it('keeps what could not be written while the database is away', async () => {
    let isAway = true
    const written: number[] = []
    const writer = setUp(async (items) => {
      if (isAway) throw away()
      written.push(...items)
    })
    writer.push(1)
    await writer.flush()
    writer.push(2)
    await writer.flush()
    expect(writer.stats()).toEqual({ queued: 2, dropped: 0 })
    isAway = false
    await writer.close()
    expect(written).toEqual([1, 2])
  })

  it('a flush also writes what was pushed while another one ran', async () => {
    const written: number[] = []
    const writer = setUp(async (items) => {
      await Promise.resolve()
      written.push(...items)
    })
    writer.push(1)
    const first = writer.flush()
    writer.push(2)
    await writer.flush()
    expect(written).toEqual([1, 2])
    await first
    await writer.close()
  })

  it('loses only what is bad or over the limit, and writes the rest once and in order, whenever the database is away', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('push' as const), bad: fc.boolean() }),
      fc.record({ kind: fc.constant('flush' as const), bad: fc.constant(false) }),
    )
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.infiniteStream(fc.boolean()),
      async (steps, outages) => {
        const written: number[] = []
        const bad = new Set<number>()
        let isOver = false
        const writer = setUp(
          async (items) => {
            await Promise.resolve()
            if (!isOver && outages.next().value) throw away()
            if (items.some((item) => bad.has(item))) throw new Error('bad record')
            written.push(...items)
          },
          { maxBatch: 3 },
        )
        let pushed = 0
        for (const { kind, bad: isBad } of steps) {
          if (kind === 'flush') await writer.flush()
          else {
            if (isBad) bad.add(pushed)
            writer.push(pushed++)
          }
        }
        isOver = true
        await writer.close()
        expect(written).toEqual(Array.from({ length: pushed }, (_, i) => i).filter((item) => !bad.has(item)))
        expect(writer.stats()).toEqual({ queued: 0, dropped: bad.size })
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })
})
