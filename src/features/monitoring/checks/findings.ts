import type { Reachability } from '../../../ai/probe.ts'
import type { BreakerState } from '../../../platform/breaker.ts'
import type { HealthFinding } from './health.ts'

/** A dependency as its breaker knows it: judged by what really happened, without a call made for the report. */
export function breakerFindingOf(
  state: BreakerState,
  isConfigured: boolean,
  what: string,
  zh: string = what,
): HealthFinding {
  if (!isConfigured) return { status: 'not_configured', message: what, zh }
  if (state === 'CLOSED') return { status: 'healthy', message: what, zh }
  return state === 'OPEN'
    ? {
        status: 'unhealthy',
        message: 'It keeps failing and is left alone for a while',
        zh: '连续失败，暂停调用一段时间',
      }
    : { status: 'degraded', message: 'It failed and is being tried again', zh: '曾经失败，正在重试' }
}

const REACHED: Record<Reachability, HealthFinding> = {
  answers: { status: 'healthy', message: 'The endpoint answers', zh: '接口有响应' },
  answers_otherwise: {
    status: 'healthy',
    message: 'The endpoint is reachable; not probed further',
    zh: '接口可达，未进一步探测',
  },
  refuses_key: {
    status: 'unhealthy',
    message: 'The endpoint is reachable and refuses the key',
    zh: '接口可达，但拒绝了密钥',
  },
  busy: {
    status: 'degraded',
    message: 'The endpoint is reachable and says that it is busy',
    zh: '接口可达，但表示繁忙',
  },
  failing: {
    status: 'unhealthy',
    message: 'The endpoint answers with an error of its own',
    zh: '接口返回了自身的错误',
  },
  redirects: {
    status: 'degraded',
    message: 'The endpoint redirects elsewhere, which is not followed',
    zh: '接口重定向到别处，未跟随',
  },
  silent: { status: 'unhealthy', message: 'The endpoint does not answer in time', zh: '接口未及时响应' },
  unreachable: { status: 'unhealthy', message: 'The endpoint cannot be reached', zh: '无法连接到接口' },
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
export function above(
  value: number,
  limits: Record<'degraded' | 'unhealthy', number>,
  message: string,
  zh: string = message,
): HealthFinding {
  if (value > limits.unhealthy) return { status: 'unhealthy', message, zh }
  return { status: value > limits.degraded ? 'degraded' : 'healthy', message, zh }
}
