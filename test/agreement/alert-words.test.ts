import { afterEach, expect, it } from 'vitest'
import { findBreaches } from '../../src/features/monitoring/alerts/rules.ts'
import { messageOf } from '../../web/console/screens/alerts/message.ts'
import { language } from '../../web/shared/words.ts'

afterEach(() => {
  language.value = 'en'
})

const everythingWrong = findBreaches(
  {
    requests: { done: 1, failed: 99 },
    turns: {
      turns: 100,
      failed: 99,
      p95DurationMs: 90_000,
      sessions: 100,
      escalatedSessions: 99,
      searched: 100,
      unsure: 99,
    },
    wrongKeys: 1_000,
    freeDiskShare: 0.01,
    longestWaitSeconds: 3_600,
    tokensPerDay: 100,
  },
  {
    ALERT_MIN_SAMPLES: 1,
    ALERT_ERROR_RATE_PERCENT: 5,
    ALERT_LATENCY_MS: 1_000,
    ALERT_ESCALATION_RATE_PERCENT: 5,
    ALERT_LOW_CONFIDENCE_RATE_PERCENT: 5,
    ALERT_WRONG_KEYS: 5,
    ALERT_FREE_DISK_PERCENT: 10,
    ALERT_QUEUE_AGE_SECONDS: 60,
    DAILY_TOKEN_BUDGET: 100,
  },
)

it.each([
  ...everythingWrong,
  {
    fingerprint: 'breaker',
    source: 'circuit_breaker',
    message: 'llm fails',
    details: { breaker: 'llm', last_error: null },
  },
  {
    fingerprint: 'delivery',
    source: 'delivery',
    message: 'A message',
    details: { channel: 'wechat', session_id: 's' },
  },
  { fingerprint: 'webhook', source: 'delivery', message: 'A webhook', details: { webhook_id: 'w' } },
])('says $fingerprint in Chinese, each in words of its own', (alert) => {
  language.value = 'en'
  expect(messageOf(alert)).toBe(alert.message)
  language.value = 'zh'
  expect(messageOf(alert)).toMatch(/\p{Script=Han}{3}/u)
  expect(messageOf(alert)).not.toMatch(/[{}]|rate\./)
})

it('knows every rule', () => {
  language.value = 'zh'
  expect(everythingWrong).toHaveLength(9)
  expect(new Set(everythingWrong.map(messageOf)).size).toBe(9)
})
