import type { Reachability } from '../../../ai/probe.ts'
import type { BreakerState } from '../../../platform/breaker.ts'
import type { HealthFinding } from './health.ts'

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

/**
 * An endpoint: by its breaker while that is not closed, which knows of real calls, else by asking whether it is there.
 * Names neither address nor key: health is open to everybody.
 */
export async function endpointFindingOf(
  state: BreakerState,
  probe: () => Promise<Reachability>,
): Promise<HealthFinding> {
  return state === 'CLOSED' ? REACHED[await probe()] : breakerFindingOf(state, true, '')
}

/** @param value larger is worse */
export function above(value: number, limits: Record<'degraded' | 'unhealthy', number>, message: string): HealthFinding {
  if (value > limits.unhealthy) return { status: 'unhealthy', message }
  return { status: value > limits.degraded ? 'degraded' : 'healthy', message }
}
