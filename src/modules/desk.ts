import { createDesk, deskRoutes } from '../features/desk/index.ts'
import type { App } from '../http/server.ts'
import type { Analyser } from '../language/words/analyser.ts'
import { every } from '../platform/interval.ts'
import type { Ground } from './module.ts'

/** Conversations as people at the desk look for them. */
export function openDesk({ db, clock, log }: Ground, { analyser }: { analyser: Analyser }) {
  const desk = createDesk({ db, analyser, every: (intervalMs, work) => every(intervalMs, work, log) })
  return { service: desk, routes: (app: App) => deskRoutes(app, { desk, clock }), close: desk.close }
}
