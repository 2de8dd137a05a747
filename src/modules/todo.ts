import type { Alerts } from '../features/monitoring/index.ts'
import { type Todo, todoRoutes } from '../features/todo/index.ts'
import type { App } from '../http/server.ts'
import { keptFresh } from '../kernel/shared-reading.ts'
import type { Ground } from './module.ts'

export interface TodoModuleOptions {
  desk: { counts(reader: string): Promise<{ waiting: number }> }
  solutions: { countPending(): Promise<number> }
  gaps: { countOpen(): Promise<number> }
  alerts: Pick<Alerts, 'list'>
}

/** Looking for gaps costs more than counting, and many tabs ask at once. */
const GAPS_FRESH_MS = 5_000
const MAX_ALERTS = 200

/** Things that wait for whoever uses the console. */
export function openTodo({ clock }: Ground, { desk, solutions, gaps, alerts }: TodoModuleOptions) {
  const todo: Todo = {
    conversations: async () => (await desk.counts('')).waiting,
    solutions: solutions.countPending,
    gaps: keptFresh(gaps.countOpen, { freshMs: GAPS_FRESH_MS, now: () => clock.now() }),
    async alerts() {
      const filter = { state: 'firing' as const, level: null, source: null, since: null, limit: MAX_ALERTS }
      return (await alerts.list(filter)).length
    },
  }
  return { routes: (app: App) => todoRoutes(app, todo), close: () => {} }
}
