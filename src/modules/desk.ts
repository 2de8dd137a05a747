import {
  bulkRoutes,
  createBulk,
  createDesk,
  createLabels,
  createNotes,
  deskRoutes,
  labelRoutes,
  noteRoutes,
} from '../features/desk/index.ts'
import type { Handoff, Workspace } from '../features/handoff/index.ts'
import type { People } from '../features/people/index.ts'
import type { App } from '../http/server.ts'
import type { Analyser } from '../language/words/analyser.ts'
import { every } from '../platform/interval.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import { isDuplicate } from '../platform/postgres/index.ts'
import type { Ground } from './module.ts'

export interface DeskModuleOptions {
  analyser: Analyser
  live: LiveEvents
  people: Pick<People, 'list'>
  handoff: { service: Handoff; workspace: Pick<Workspace, 'tell'> }
}

/** Conversations as people at the desk look for them, and what they keep beside them. */
export function openDesk({ db, clock, log }: Ground, { analyser, live, people, handoff }: DeskModuleOptions) {
  const desk = createDesk({ db, analyser, live, every: (intervalMs, work) => every(intervalMs, work, log) })
  const colleagues = async () =>
    new Set((await people.list()).filter(({ isActive }) => isActive).map(({ name }) => name))
  const notes = createNotes({ db, live, colleagues, findSession: handoff.service.find })
  handoff.workspace.tell('note', notes.telling)
  const labels = createLabels({ db, live, isDuplicate, findSession: handoff.service.find })
  handoff.workspace.tell('labels', labels.telling)
  const bulk = createBulk({ handoff: handoff.service, desk, labels })
  return {
    service: desk,
    routes(app: App): void {
      deskRoutes(app, { desk, clock })
      noteRoutes(app, { notes })
      labelRoutes(app, { labels })
      bulkRoutes(app, { bulk })
    },
    close: desk.close,
  }
}
