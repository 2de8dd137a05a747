import {
  bulkRoutes,
  createBulk,
  createDesk,
  createDrafts,
  createExporting,
  createLabels,
  createNotes,
  createReplies,
  createStatistics,
  deskRoutes,
  draftRoutes,
  exportRoute,
  labelRoutes,
  noteRoutes,
  replyRoutes,
  statisticsRoute,
} from '../features/desk/index.ts'
import { type Handoff, type Priority, returnsAt, type Workspace } from '../features/handoff/index.ts'
import type { Business } from '../features/orders/index.ts'
import type { People } from '../features/people/index.ts'
import type { App } from '../http/server.ts'
import type { Analyser } from '../language/words/analyser.ts'
import { every } from '../platform/interval.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import { isDuplicate } from '../platform/postgres/index.ts'
import type { Ground } from './module.ts'

export interface DeskModuleOptions {
  analyser: Analyser
  /** Minutes in which a customer should be answered, by priority. */
  targets(): Partial<Record<Priority, number>>
  live: LiveEvents
  /** Since when people are there; null: they are not. */
  hours: { openSince(): Date | null }
  people: Pick<People, 'list'>
  business: Pick<Business, 'recordsOf'>
  handoff: { service: Handoff; workspace: Pick<Workspace, 'tell'> }
}

/** Conversations as people at the desk look for them, and what they keep beside them. */
export function openDesk(
  { config, db, clock, log }: Ground,
  { analyser, targets, hours, live, people, business, handoff }: DeskModuleOptions,
) {
  const desk = createDesk({ db, analyser, live, every: (intervalMs, work) => every(intervalMs, work, log) })
  const colleagues = async () =>
    new Set((await people.list()).filter(({ isActive }) => isActive).map(({ name }) => name))
  const notes = createNotes({ db, live, colleagues, findSession: handoff.service.find })
  handoff.workspace.tell('note', notes.telling)
  const labels = createLabels({ db, live, isDuplicate, findSession: handoff.service.find })
  handoff.workspace.tell('labels', labels.telling)
  const { find: findSession } = handoff.service
  const replies = createReplies({ db, business, findSession, isDuplicate, log })
  const drafts = createDrafts({ db, findSession })
  const bulk = createBulk({ handoff: handoff.service, desk, labels })
  const returning = { timeoutSeconds: config.HANDOFF_TIMEOUT_SECONDS, openSince: hours.openSince }
  return {
    service: desk,
    routes(app: App): void {
      deskRoutes(app, { desk, clock, targets, returnsAt: (waitingSince) => returnsAt(returning, waitingSince) })
      noteRoutes(app, { notes })
      labelRoutes(app, { labels })
      bulkRoutes(app, { bulk })
      replyRoutes(app, { replies })
      draftRoutes(app, { drafts })
      exportRoute(app, { exporting: createExporting({ db }) })
      statisticsRoute(app, { statistics: createStatistics({ db }), clock })
    },
    close: desk.close,
  }
}
