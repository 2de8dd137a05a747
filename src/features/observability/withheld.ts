import type { Pseudonym } from '../../kernel/pseudonym.ts'
import type { BreakerStats } from '../../platform/breaker.ts'
import type { Alert } from './types.ts'

/** What callers without the key are shown: the same fields, without texts that others wrote. */

/** Details whose values are the service's own names. */
const NAMED = new Set(['breaker', 'channel'])

export function withholdDetails(alert: Alert, pseudonym: Pseudonym): Alert {
  const shown = (name: string, value: Alert['details'][string]) => {
    if (typeof value !== 'string' || NAMED.has(name)) return value
    return name === 'session_id' ? pseudonym('session', value) : ''
  }
  const details = Object.entries(alert.details).map(([name, value]) => [name, shown(name, value)])
  return { ...alert, details: Object.fromEntries(details) }
}

/** What a failed call said may hold an address or whatever the other side answered. That there is something shows. */
export function withholdError<Stats extends BreakerStats>(stats: Stats): Stats {
  return { ...stats, last_error: stats.last_error === null ? null : '' }
}
