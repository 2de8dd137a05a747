import { assignmentRoutes, createAssignment } from '../features/assignment/index.ts'
import type { Handoff } from '../features/handoff/index.ts'
import type { Alerts } from '../features/monitoring/index.ts'
import type { App } from '../http/server.ts'
import { every } from '../platform/interval.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import { claimTask } from '../platform/postgres/index.ts'
import type { Ground } from './module.ts'

export interface AssignmentModuleOptions {
  live: LiveEvents
  handoff: { service: Handoff }
  languageOf(text: string): 'zh' | 'en'
  alerts: Pick<Alerts, 'raise' | 'resolve'>
}

const OVERDUE = 'response_target'
/** Less than the time between two sweeps of one replica. */
const TURN_MS = 900

/** Calls that find their people by themselves, and targets for how long customers wait. */
export async function openAssignment(
  { db, clock, log }: Ground,
  { live, handoff, languageOf, alerts }: AssignmentModuleOptions,
) {
  let isOverdue = false
  const assignment = await createAssignment({
    db,
    live,
    handoff: handoff.service,
    languageOf,
    isMyTurn: () => claimTask(db.executor, 'assignment', new Date(clock.now()), TURN_MS),
    onOverdue(count) {
      if (count > 0) {
        const message = `${count} ${count === 1 ? 'customer waits' : 'customers wait'} for longer than the target`
        alerts.raise({ fingerprint: OVERDUE, level: 'warn', source: 'handoff', message, details: { count } })
      } else if (isOverdue) alerts.resolve(OVERDUE)
      isOverdue = count > 0
    },
    every: (intervalMs, work) => every(intervalMs, work, log),
    log,
  })
  return {
    service: assignment,
    routes: (app: App) => assignmentRoutes(app, { assignment }),
    close: assignment.close,
  }
}
