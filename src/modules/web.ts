import { join } from 'node:path'
import { demoRoutes, loadPages, webRoutes } from '../features/web/index.ts'
import type { App } from '../http/server.ts'

/** Where the set-up puts what it builds. */
const BUILT = join(import.meta.dirname, '../../.cache/web')

/** The pages for people. @param folder what was built; tests have their own */
export async function openWeb(folder: string = BUILT) {
  const pages = await loadPages(folder)
  const routes = (app: App): void => {
    webRoutes(app, { pages })
    demoRoutes(app, { pages })
  }
  return { routes, close: () => {} }
}
