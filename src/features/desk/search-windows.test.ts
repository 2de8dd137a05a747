import fc from 'fast-check'
import { expect, it } from 'vitest'
import { searchOrder, windowsOf } from './search-windows.ts'

it('puts a message into windows of each size that no other size has', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (seq) => {
      const windows = windowsOf(seq)
      expect(new Set(windows).size).toBe(3)
      for (const window of windows) {
        expect(window).toBeLessThan(0)
        expect(window).toBeGreaterThanOrEqual(-(2 ** 31))
      }
    }),
  )
})

it('searches every message once at most, from the latest on, however many there are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: 1, max: 5_000_000 }), (last, seq) => {
      fc.pre(seq <= last)
      let bound = last + 1
      let found = 0
      for (const { window, start } of searchOrder(bound)) {
        const isIn = window === null || windowsOf(seq).includes(window)
        if (seq < bound && seq >= Math.min(start, bound) && isIn) found += 1
        // Messages from its beginning on are in the window.
        if (seq < bound && seq >= start) expect(isIn).toBe(true)
        bound = Math.min(bound, start)
      }
      expect(found).toBe(1)
    }),
  )
})
