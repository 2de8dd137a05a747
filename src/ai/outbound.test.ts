import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs, retryAfterMsOf, sleep, withoutSecrets } from './outbound.ts'

describe('backoffMs', () => {
  it('stays under a ceiling that doubles, and never falls below what the endpoint asked for', () => {
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.nat(20_000),
        (attempt, chance, asked) => {
          const pause = backoffMs(attempt, { random: () => chance, retryAfterMs: asked })
          expect(pause).toBeGreaterThanOrEqual(asked)
          expect(pause).toBeLessThanOrEqual(Math.max(asked, Math.min(5_000, 300 * 2 ** attempt)))
        },
      ),
    )
  })
})

describe('retryAfterMsOf', () => {
  const now = Date.UTC(2026, 0, 1)
  it.each<[Record<string, string>, number | null]>([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-5' }, null],
    [{}, null],
  ])('reads %j', (headers, wanted) => {
    expect(retryAfterMsOf((name) => headers[name], now)).toBe(wanted)
  })
})

describe('withoutSecrets', () => {
  it.each([
    ['Incorrect API key provided: hunter22.', ['hunter22'], 'Incorrect API key provided: [key].'],
    ['bad key sk-proj-abc_DEF***xyz', [], 'bad key [key]'],
    ['header Bearer abc.def was refused', [], 'header Bearer [key] was refused'],
    ['two\n  lines', [undefined], 'two lines'],
  ])('%j', (text, secrets, wanted) => {
    expect(withoutSecrets(text, secrets)).toBe(wanted)
  })

  it('shortens', () => {
    expect(withoutSecrets('x'.repeat(9_999), [])).toHaveLength(300)
  })
})

describe('sleep', () => {
  it('ends with the reason of the abort', async () => {
    const controller = new AbortController()
    const sleeping = sleep(600_000, controller.signal)
    controller.abort(new Error('gone'))
    await expect(sleeping).rejects.toThrow('gone')
    await expect(sleep(600_000, controller.signal)).rejects.toThrow('gone')
  })
})
