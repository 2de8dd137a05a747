import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { above, breakerFindingOf } from './findings.ts'
import { checkHealth, type HealthCheck, type HealthStatus } from './health.ts'

const clock = createManualClock()
const check = (name: string, status: HealthStatus, critical = false): HealthCheck => ({
  name,
  critical,
  run: () => ({ status, message: name }),
})
const run = (...checks: HealthCheck[]) => checkHealth(checks, { clock, timeoutMs: 20 })

describe('the health report', () => {
  it.each<[string, HealthCheck[], string]>([
    ['nothing is wrong', [check('a', 'healthy', true), check('b', 'not_configured')], 'healthy'],
    ['something is slow', [check('a', 'healthy', true), check('b', 'degraded')], 'degraded'],
    ['something that can be missed fails', [check('a', 'healthy', true), check('b', 'unhealthy')], 'degraded'],
    ['something critical is slow', [check('a', 'degraded', true)], 'degraded'],
    ['something critical fails', [check('a', 'unhealthy', true), check('b', 'healthy')], 'unhealthy'],
  ])('sums up when %s', async (_, checks, status) => {
    expect((await run(...checks)).status).toBe(status)
  })

  it('lets no check hold or break the others, and shows no inside', async () => {
    const never: HealthCheck = { name: 'never', critical: false, run: () => new Promise(() => {}) }
    const secret: HealthCheck = {
      name: 'secret',
      critical: false,
      run: () => Promise.reject(new Error('password is hunter2')),
    }
    const thrown: HealthCheck = {
      name: 'thrown',
      critical: false,
      run() {
        throw new AppError('unavailable', 'x', 'The thing is away')
      },
    }
    const { checks } = await run(never, secret, thrown, check('fine', 'healthy'))
    expect(checks).toMatchObject([
      { name: 'never', status: 'unhealthy', message: 'No answer within 20 ms' },
      { name: 'secret', status: 'unhealthy', message: 'The check failed' },
      { name: 'thrown', status: 'unhealthy', message: 'The thing is away' },
      { name: 'fine', status: 'healthy', message: 'fine' },
    ])
  })
})

describe('findings', () => {
  it.each([
    ['CLOSED', true, 'healthy'],
    ['HALF_OPEN', true, 'degraded'],
    ['OPEN', true, 'unhealthy'],
    ['CLOSED', false, 'not_configured'],
  ] as const)('of a breaker that is %s (configured: %s): %s', (state, isConfigured, status) => {
    expect(breakerFindingOf(state, isConfigured, 'it').status).toBe(status)
  })

  it('of a value by its limits', () => {
    const limits = { degraded: 10, unhealthy: 20 }
    expect([10, 11, 20, 21].map((value) => above(value, limits, '').status)).toEqual([
      'healthy',
      'degraded',
      'degraded',
      'unhealthy',
    ])
  })
})
