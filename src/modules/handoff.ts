import { createHandoff, createWorkspace, handoffRoutes } from '../features/handoff/index.ts'
import type { App } from '../http/server.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import type { Ground } from './module.ts'

type Workspace = Parameters<typeof createWorkspace>[0]

export interface HandoffModuleOptions extends Pick<Workspace, 'knowledge' | 'business' | 'languageOf'> {
  live: LiveEvents
  outbox: { enqueue: Parameters<typeof createHandoff>[0]['deliver']; states: Workspace['deliveries'] }
}

/** Sessions that wait for people, and what those people work with. */
export function openHandoff({ config, db, log }: Ground, { live, outbox, ...helpers }: HandoffModuleOptions) {
  const handoff = createHandoff({
    db,
    live,
    identity: config.SESSION_IDENTITY,
    timeoutSeconds: config.HANDOFF_TIMEOUT_SECONDS,
    deliver: outbox.enqueue,
    log,
  })
  const workspace = createWorkspace({ live, handoff, deliveries: outbox.states, log, ...helpers })
  return {
    service: handoff,
    routes: (app: App) => handoffRoutes(app, { handoff, workspace }),
    async close(): Promise<void> {
      workspace.close()
      await handoff.close()
    },
  }
}
