import { listOfPaths } from '../config.ts'
import type { Knowledge } from '../features/knowledge/index.ts'
import { createUpdates, updateRoutes } from '../features/updates/index.ts'
import type { App } from '../http/server.ts'
import { createExclusiveJob } from '../platform/exclusive-job.ts'
import { createFiles } from '../platform/files.ts'
import type { Ground } from './module.ts'

/** Documents that are taken in from folders. */
export function openUpdates({ config, db, log }: Ground, { knowledge }: { knowledge: Knowledge }) {
  const updates = createUpdates({
    db,
    knowledge,
    files: createFiles(listOfPaths(config.FILE_ROOTS)),
    job: createExclusiveJob(db, 'update', log),
    maxFileBytes: config.MAX_UPLOAD_MB * 1_048_576,
    log,
  })
  return { routes: (app: App) => updateRoutes(app, { updates }), close: () => {} }
}
