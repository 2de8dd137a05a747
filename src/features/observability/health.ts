import type { Reachability } from '../../ai/probe.ts'
import { AppError } from '../../kernel/errors.ts'
import type { BreakerState } from '../../platform/breaker.ts'
import type { Clock } from '../../platform/clock.ts'

export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy' | 'not_configured'

export interface HealthFinding {
  status: HealthStatus
  /** Fit for anyone's eyes. */
  message: string
}

export interface HealthCheck {
  name: string
  /** Without it the service cannot do its work. */
  critical: boolean
  run(): HealthFinding | Promise<HealthFinding>
}

export interface CheckResult extends HealthFinding {
  name: string
  critical: boolean
  latencyMs: number
}

export interface HealthReport {
  status: 'healthy' | 'degraded' | 'unhealthy'
  checks: CheckResult[]
}

/** Runs every check by itself and at the same time; one that takes longer than `timeoutMs` is unhealthy. */
export async function checkHealth(
  checks: readonly HealthCheck[],
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Promise<HealthReport> {
  const results = await Promise.all(checks.map((check) => runCheck(check, clock, timeoutMs)))
  return { status: overall(results), checks: results }
}

async function runCheck(check: HealthCheck, clock: Clock, timeoutMs: number): Promise<CheckResult> {
  const { name, critical } = check
  const startedAt = clock.now()
  const finding = await limited(check, timeoutMs)
  return { name, critical, latencyMs: clock.now() - startedAt, ...finding }
}

async function limited(check: HealthCheck, timeoutMs: number): Promise<HealthFinding> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<HealthFinding>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'unhealthy', message: `No answer within ${timeoutMs} ms` }), timeoutMs)
  })
  try {
    return await Promise.race([(async () => check.run())(), late])
  } catch (error) {
    return { status: 'unhealthy', message: error instanceof AppError ? error.message : 'The check failed' }
  } finally {
    clearTimeout(timer)
  }
}

function overall(results: readonly CheckResult[]): HealthReport['status'] {
  if (results.some(({ critical, status }) => critical && status === 'unhealthy')) return 'unhealthy'
  return results.some(({ status }) => status === 'unhealthy' || status === 'degraded') ? 'degraded' : 'healthy'
}

/** A dependency as its breaker knows it: judged by what really happened, without a call made for the report. */
export function breakerFindingOf(state: BreakerState, isConfigured: boolean, what: string): HealthFinding {
  if (!isConfigured) return { status: 'not_configured', message: what }
  if (state === 'CLOSED') return { status: 'healthy', message: what }
  const message =
    state === 'OPEN' ? 'It keeps failing and is left alone for a while' : 'It failed and is being tried again'
  return { status: state === 'OPEN' ? 'unhealthy' : 'degraded', message }
}

const REACHED: Record<Reachability, HealthFinding> = {
  answers: { status: 'healthy', message: 'The endpoint answers' },
  answers_otherwise: { status: 'healthy', message: 'The endpoint is reachable; not probed further' },
  refuses_key: { status: 'unhealthy', message: 'The endpoint is reachable and refuses the key' },
  busy: { status: 'degraded', message: 'The endpoint is reachable and says that it is busy' },
  failing: { status: 'unhealthy', message: 'The endpoint answers with an error of its own' },
  redirects: { status: 'degraded', message: 'The endpoint redirects elsewhere, which is not followed' },
  silent: { status: 'unhealthy', message: 'The endpoint does not answer in time' },
  unreachable: { status: 'unhealthy', message: 'The endpoint cannot be reached' },
}

/** An endpoint: by its breaker while that is not closed, which knows of real calls, else by asking whether it is there. */
export async function endpointFindingOf(
  state: BreakerState,
  probe: () => Promise<Reachability>,
): Promise<HealthFinding> {
  return state === 'CLOSED' ? findingOf(await probe()) : breakerFindingOf(state, true, '')
}

/** Names neither address nor key: health is open to everybody. */
export function findingOf(reachability: Reachability): HealthFinding {
  return REACHED[reachability]
}

export interface Limits {
  degraded: number
  unhealthy: number
}

/** @param value larger is worse */
export function above(value: number, limits: Limits, message: string): HealthFinding {
  if (value > limits.unhealthy) return { status: 'unhealthy', message }
  return { status: value > limits.degraded ? 'degraded' : 'healthy', message }
}
