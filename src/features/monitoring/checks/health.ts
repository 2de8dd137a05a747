import { createBatcher } from '../../../kernel/batcher.ts'
import type { Clock } from '../../../platform/clock.ts'
import { attempt } from './attempt.ts'

export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy' | 'not_configured'

export interface HealthFinding {
  status: HealthStatus
  /** Fit for anyone's eyes. */
  message: string
  /** The same in Chinese; missing: it is a name, which both languages share. */
  zh?: string
}

export interface HealthCheck {
  name: string
  /** Without it the service cannot do its work. */
  critical: boolean
  run(): HealthFinding | Promise<HealthFinding>
}

const CHECK_TIMEOUT_MS = 2_000

/** One report for all who ask at the same time. */
export function createHealth(checks: readonly HealthCheck[], clock: Clock) {
  const checkNow = createBatcher<null, Awaited<ReturnType<typeof checkHealth>> & { checkedAt: Date }>({
    maxBatch: Number.POSITIVE_INFINITY,
    async run(asked) {
      const report = await checkHealth(checks, { clock, timeoutMs: CHECK_TIMEOUT_MS })
      return asked.map(() => ({ ...report, checkedAt: new Date(clock.now()) }))
    },
  })
  return () => checkNow(null)
}

/** Runs every check by itself and at the same time; one that takes longer than `timeoutMs` is unhealthy. */
export async function checkHealth(
  checks: readonly HealthCheck[],
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
) {
  const results = await Promise.all(checks.map((check) => runCheck(check, clock, timeoutMs)))
  return { status: overall(results), checks: results }
}

async function runCheck({ name, critical, run }: HealthCheck, clock: Clock, timeoutMs: number) {
  const startedAt = clock.now()
  const late = { en: `No answer within ${timeoutMs} ms`, zh: `${timeoutMs} 毫秒内没有响应` }
  const result = await attempt(run, { timeoutMs, late, broken: { en: 'The check failed', zh: '检查失败' } })
  const { status, message, zh }: HealthFinding =
    'found' in result ? result.found : { status: 'unhealthy', message: result.failure.en, zh: result.failure.zh }
  const words = { en: message, zh: zh ?? message }
  return { name, critical, latencyMs: clock.now() - startedAt, status, message, words }
}

function overall(results: readonly Pick<HealthCheck & HealthFinding, 'critical' | 'status'>[]) {
  if (results.some(({ critical, status }) => critical && status === 'unhealthy')) return 'unhealthy'
  return results.some(({ status }) => status === 'unhealthy' || status === 'degraded') ? 'degraded' : 'healthy'
}
