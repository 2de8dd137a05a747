import { join } from 'node:path'
import { demoRoutes, loadPages, type RecordsOf, webRoutes } from '../features/web/index.ts'
import type { App } from '../http/server.ts'

/** Where the set-up puts what it builds. */
const BUILT = join(import.meta.dirname, '../../.cache/web')

/** The pages for people. */
export async function openWeb({ orders }: { orders: { recordsOf: RecordsOf } }) {
  const pages = await loadPages(BUILT)
  const routes = (app: App): void => {
    webRoutes(app, { pages })
    demoRoutes(app, { pages, recordsOf: orders.recordsOf })
  }
  return { routes, close: () => {} }
}
