import { expect, it } from 'vitest'
import { meetSlowCallers } from '../security/slow-callers.ts'

const COUNT = 1_500

it(`${COUNT} callers who never finish a request are let go in time, and others are served meanwhile`, async () => {
  const startedAt = performance.now()
  const { closed, served } = await meetSlowCallers(COUNT, { headersTimeoutMs: 2_000, requestTimeoutMs: 4_000 })
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`${COUNT} slow callers gone after ${seconds.toFixed(1)} s; ${served.length} requests served meanwhile`)
  expect(closed).toBe(COUNT)
  expect(served.length).toBeGreaterThan(10)
  expect(new Set(served)).toEqual(new Set([200]))
})
