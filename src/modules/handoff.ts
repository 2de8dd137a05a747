import { createHandoff, createWorkspace, handoffRoutes } from '../features/handoff/index.ts'
import type { WorkingHours } from '../features/hours/index.ts'
import type { People } from '../features/people/index.ts'
import type { App } from '../http/server.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import type { Ground } from './module.ts'

type Workspace = Parameters<typeof createWorkspace>[0]

type Handoff = Parameters<typeof createHandoff>[0]

export interface HandoffModuleOptions
  extends Pick<Workspace, 'knowledge' | 'business' | 'languageOf'>,
    Pick<Handoff, 'understand'> {
  live: LiveEvents
  people: Pick<People, 'count' | 'find'>
  hours: Pick<WorkingHours, 'openSince'>
  outbox: { enqueue: Parameters<typeof createHandoff>[0]['deliver']; states: Workspace['deliveries'] }
}

/** Sessions that wait for people, and what those people work with. */
export function openHandoff(
  { config, db, clock, log }: Ground,
  { live, outbox, people, hours, understand, ...helpers }: HandoffModuleOptions,
) {
  const handoff = createHandoff({
    db,
    live,
    identity: config.SESSION_IDENTITY,
    timeoutSeconds: config.HANDOFF_TIMEOUT_SECONDS,
    idleMinutes: config.OWNER_IDLE_MINUTES,
    openSince: hours.openSince,
    understand,
    clock,
    isColleague: async (name) => {
      const member = await people.find(name)
      return member ? member.isActive : (await people.count()) === 0
    },
    deliver: outbox.enqueue,
    log,
  })
  const workspace = createWorkspace({ live, handoff, deliveries: outbox.states, log, ...helpers })
  return {
    service: handoff,
    workspace,
    routes: (app: App) => handoffRoutes(app, { handoff, workspace }),
    async close(): Promise<void> {
      workspace.close()
      await handoff.close()
    },
  }
}
