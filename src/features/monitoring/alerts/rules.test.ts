import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findBreaches, type Readings, RULE_FINGERPRINTS, type Thresholds } from './rules.ts'

const thresholds: Thresholds = {
  ALERT_MIN_SAMPLES: 10,
  ALERT_ERROR_RATE_PERCENT: 5,
  ALERT_LATENCY_MS: 1_000,
  ALERT_ESCALATION_RATE_PERCENT: 50,
  ALERT_LOW_CONFIDENCE_RATE_PERCENT: 25,
  ALERT_WRONG_KEYS: 20,
  ALERT_FREE_DISK_PERCENT: 10,
  ALERT_QUEUE_AGE_SECONDS: 600,
  DAILY_TOKEN_BUDGET: 1_000,
}
const quiet: Readings = {
  requests: { done: 100, failed: 0 },
  turns: {
    turns: 100,
    failed: 0,
    p95DurationMs: 500,
    sessions: 50,
    escalatedSessions: 5,
    searched: 80,
    unsure: 4,
  },
  wrongKeys: 0,
  freeDiskShare: 0.5,
  longestWaitSeconds: null,
  tokensPerDay: 0,
}
const turns = (changes: Partial<Readings['turns']>): Partial<Readings> => ({ turns: { ...quiet.turns, ...changes } })

describe('alert rules', () => {
  it('find nothing wrong where nothing is', () => {
    expect(findBreaches(quiet, thresholds)).toEqual([])
  })

  it.each<[string, string, string, Partial<Readings>, Partial<Readings>]>([
    [
      'error_rate:requests',
      'error',
      '6 %',
      { requests: { done: 94, failed: 6 } },
      { requests: { done: 95, failed: 5 } },
    ],
    ['error_rate:turns', 'error', '6 %', turns({ failed: 6 }), turns({ failed: 5 })],
    ['latency', 'warn', '1001 ms', turns({ p95DurationMs: 1_001 }), turns({ p95DurationMs: 1_000 })],
    ['escalation_rate', 'warn', '52 %', turns({ escalatedSessions: 26 }), turns({ escalatedSessions: 25 })],
    ['low_confidence', 'warn', '26.3 %', turns({ unsure: 21 }), turns({ unsure: 20 })],
    ['wrong_keys', 'warn', '21 wrong', { wrongKeys: 21 }, { wrongKeys: 20 }],
    ['disk_space', 'critical', '9.9 %', { freeDiskShare: 0.099 }, { freeDiskShare: 0.1 }],
    ['queue_age', 'warn', '10 minutes', { longestWaitSeconds: 601 }, { longestWaitSeconds: 600 }],
    ['token_budget', 'warn', '80 %', { tokensPerDay: 800 }, { tokensPerDay: 799 }],
    ['token_budget', 'error', '100 %', { tokensPerDay: 1_000 }, { tokensPerDay: 799 }],
  ])('%s (%s) fires just beyond its threshold: %s', (fingerprint, level, text, beyond, at) => {
    const found = findBreaches({ ...quiet, ...beyond }, thresholds)
    expect(found).toMatchObject([{ fingerprint, level, message: expect.stringContaining(text) }])
    expect(findBreaches({ ...quiet, ...at }, thresholds)).toEqual([])
  })

  it('say nothing of rates over too few', () => {
    const few = {
      ...quiet,
      requests: { done: 0, failed: 9 },
      ...turns({
        turns: 9,
        failed: 9,
        p95DurationMs: 99_999,
        sessions: 9,
        escalatedSessions: 9,
        searched: 9,
        unsure: 9,
      }),
    }
    expect(findBreaches(few, thresholds)).toEqual([])
    expect(
      findBreaches({ ...quiet, requests: { done: 0, failed: 0 } }, { ...thresholds, ALERT_MIN_SAMPLES: 0 }),
    ).toEqual([])
  })

  it('can be switched off', () => {
    const off = {
      ...thresholds,
      ALERT_LATENCY_MS: 0,
      ALERT_QUEUE_AGE_SECONDS: 0,
      DAILY_TOKEN_BUDGET: 0,
      ALERT_ERROR_RATE_PERCENT: 100,
      ALERT_ESCALATION_RATE_PERCENT: 100,
    }
    const bad = {
      ...quiet,
      requests: { done: 0, failed: 100 },
      ...turns({ p95DurationMs: 1e9, failed: 100, escalatedSessions: 50 }),
      longestWaitSeconds: 1e9,
      tokensPerDay: 1e9,
    }
    expect(findBreaches(bad, off)).toEqual([])
  })

  it('give each known fingerprint at most once, in words without a broken number', () => {
    const count = fc.nat({ max: 10_000 })
    const readings: fc.Arbitrary<Readings> = fc.record({
      requests: fc.record({ done: count, failed: count }),
      turns: fc.record({
        turns: count,
        failed: count,
        p95DurationMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
        sessions: count,
        escalatedSessions: count,
        searched: count,
        unsure: count,
      }),
      wrongKeys: fc.nat(1_000),
      freeDiskShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      longestWaitSeconds: fc.option(fc.double({ min: 0, max: 1e7, noNaN: true })),
      tokensPerDay: count,
    })
    const property = fc.property(readings, (given) => {
      const found = findBreaches(given, thresholds)
      const names = found.map(({ fingerprint }) => fingerprint)
      expect(new Set(names).size).toBe(names.length)
      for (const { fingerprint, message, details } of found) {
        expect(RULE_FINGERPRINTS).toContain(fingerprint)
        expect(message).not.toMatch(/NaN|Infinity|undefined|null/)
        expect(Object.values(details).every((value) => typeof value !== 'number' || Number.isFinite(value))).toBe(true)
      }
    })
    fc.assert(property)
  })
})
