import { expect, it } from 'vitest'
import { meetSlowCallers } from './slow-callers.ts'

it('callers who never finish a request are let go, and others are served meanwhile', async () => {
  const { closed, served } = await meetSlowCallers(30, { headersTimeoutMs: 500, requestTimeoutMs: 1_000 })
  expect(closed).toBe(30)
  expect(served.length).toBeGreaterThan(1)
  expect(new Set(served)).toEqual(new Set([200]))
})
