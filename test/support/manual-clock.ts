import type { Clock } from '../../src/platform/clock.ts'

export interface ManualClock extends Clock {
  advance(milliseconds: number): void
}

/** A clock that moves only when told to. Starts at 2026-01-01T00:00:00Z unless given another instant. */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let current = startMs
  return {
    now: () => current,
    advance: (milliseconds) => {
      current += milliseconds
    },
  }
}
