/** The time of day, injected so that expiry, windows and recovery can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
