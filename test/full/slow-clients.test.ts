import { expect, it } from 'vitest'
import { meetSlowCallers } from '../security/slow-callers.ts'

it('500 callers who never finish a request are let go in time, and others are served meanwhile', async () => {
  const startedAt = performance.now()
  const { closed, served } = await meetSlowCallers(500, { headersTimeoutMs: 2_000, requestTimeoutMs: 4_000 })
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`500 slow callers gone after ${seconds.toFixed(1)} s; ${served.length} requests served meanwhile`)
  expect(closed).toBe(500)
  expect(served.length).toBeGreaterThan(10)
  expect(new Set(served)).toEqual(new Set([200]))
})
