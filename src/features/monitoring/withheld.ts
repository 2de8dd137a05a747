import type { Pseudonym } from '../../kernel/pseudonym.ts'
import type { BreakerStats } from '../../platform/breaker.ts'
import type { Alert, Handled } from './alerts/types.ts'
import type { ActiveSession, Step, StoredTrace, TraceSummary } from './traces/types.ts'

/**
 * The view of callers without the key: the same fields, without a word that somebody wrote and without who wrote it.
 */

/** Fields of a sub-task, and details of an alert, whose values are the service's own names. */
const NAMED = new Set(['task_id', 'agent', 'intent', 'status'])
const NAMED_DETAILS = new Set(['breaker', 'channel'])
/** A name that the service gave; a model may call a tool by any text. */
const NAME = /^[\w.-]{1,64}$/

export function withholdIds(session: ActiveSession, pseudonym: Pseudonym): ActiveSession {
  return {
    ...session,
    sessionId: pseudonym('session', session.sessionId),
    userId: pseudonym('user', session.userId),
  }
}

export function withholdSummary<Summary extends TraceSummary>(trace: Summary, pseudonym: Pseudonym): Summary {
  return {
    ...trace,
    sessionId: pseudonym('session', trace.sessionId),
    // An id of a message is no secret, but leads to its conversation.
    messageId: withheld(trace.messageId),
    question: '',
    error: withheld(trace.error),
  }
}

export function withholdTexts(trace: StoredTrace, pseudonym: Pseudonym): StoredTrace {
  return {
    ...withholdSummary(trace, pseudonym),
    steps: trace.steps.map(withoutTexts),
    subTasks: trace.subTasks.map((task) => onlyNames(task) as object),
  }
}

export function withholdDetails(alert: Alert, pseudonym: Pseudonym): Alert {
  const shown = (name: string, value: Alert['details'][string]) => {
    if (typeof value !== 'string' || NAMED_DETAILS.has(name)) return value
    return name === 'session_id' ? pseudonym('session', value) : ''
  }
  const details = Object.entries(alert.details).map(([name, value]) => [name, shown(name, value)])
  return {
    ...alert,
    details: Object.fromEntries(details),
    acknowledged: alert.acknowledged && withoutPeople(alert.acknowledged),
    silenced: alert.silenced && withoutPeople(alert.silenced),
  }
}

function withoutPeople<Done extends Handled>(done: Done): Done {
  return { ...done, by: withheld(done.by), note: withheld(done.note) }
}

/** The words of a failed call may hold an address or whatever the other side answered. */
export function withholdError<Stats extends BreakerStats>(stats: Stats): Stats {
  return { ...stats, last_error: withheld(stats.last_error) }
}

function withoutTexts(step: Step): Step {
  return { ...step, name: NAME.test(step.name) ? step.name : '', input: '', output: '', error: withheld(step.error) }
}

/** That there is one still shows. */
function withheld(text: string | null): string | null {
  return text === null ? null : ''
}

function onlyNames(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return NAMED.has(field) && NAME.test(value) ? value : ''
  if (Array.isArray(value)) return value.map((each) => onlyNames(each, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, onlyNames(each, key)]))
}
