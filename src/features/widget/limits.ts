import { LRUCache } from 'lru-cache'
import { AppError } from '../../kernel/errors.ts'

const MINUTE_MS = 60_000
/** Callers remembered; those that have been quiet longest are forgotten first. */
const MAX_CALLERS = 50_000

export type Limit = (caller: string) => void

/**
 * Counts what a caller does within a minute of the clock, in this process. Throws too_many beyond the limit.
 *
 * @param maximum 0: no limit
 * @param field the part of a request that the refusal names
 */
export function perMinute(maximum: number, field: string, now: () => number): Limit {
  const counts = new LRUCache<string, { minute: number; count: number }>({ max: MAX_CALLERS })
  return (caller) => {
    if (maximum === 0) return
    const minute = Math.floor(now() / MINUTE_MS)
    const known = counts.get(caller)
    const count = known?.minute === minute ? known.count + 1 : 1
    counts.set(caller, { minute, count })
    if (count <= maximum) return
    const retryAfterSeconds = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - now()) / 1000))
    throw new AppError('too_many', 'rate_limit', `${field}: too many within a minute`, { retryAfterSeconds })
  }
}

/** Lets a caller hold so many things at once. Throws too_many; the returned function gives one back. */
export function atOnce(maximum: number, field: string): (caller: string) => () => void {
  const held = new Map<string, number>()
  return (caller) => {
    const count = held.get(caller) ?? 0
    if (count >= maximum) throw new AppError('too_many', 'rate_limit', `${field}: too many at once`)
    held.set(caller, count + 1)
    return () => {
      const left = (held.get(caller) ?? 1) - 1
      if (left === 0) held.delete(caller)
      else held.set(caller, left)
    }
  }
}
