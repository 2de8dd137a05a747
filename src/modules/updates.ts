import type { Static } from 'typebox'
import { listOfPaths } from '../config.ts'
import type { Knowledge } from '../features/knowledge/index.ts'
import { type RunKind, runRoutes } from '../features/runs/index.ts'
import { createUpdates, folderAsked, StartRequest, type Updates, updateRoutes } from '../features/updates/index.ts'
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
  return {
    routes(app: App): void {
      runRoutes(app, folderRuns(updates))
      updateRoutes(app, { updates })
    },
    close: () => {},
  }
}

function folderRuns(updates: Updates): RunKind {
  return {
    path: '/api/v1/update/runs',
    tag: 'updates',
    what: 'an update of a folder',
    body: StartRequest,
    stages: ['files'],
    resultPath: (reportId) => `/api/v1/update/reports/${reportId}`,
    runs: updates.runs,
    start: (body, by) => {
      const { mode, ...folder } = body as Static<typeof StartRequest>
      return updates.start(mode, folderAsked(folder), by)
    },
  }
}
