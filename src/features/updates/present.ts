import type { UpdatesStatus } from './service.ts'
import type { FileUpdateResult, UpdateResult, UpdateSummary } from './types.ts'

/** From this feature's own records to the bodies of the contract. */

export function presentResult(result: UpdateResult) {
  return {
    ...presentSummary(result),
    files: result.files.map(({ path, status, docId, version, error }) => ({
      path,
      status: status as string,
      doc_id: docId,
      version,
      error,
    })),
  }
}

export function presentFile(result: FileUpdateResult) {
  const { path, status, docId, version } = result.file
  return { ...presentResult(result), path, status: status as string, doc_id: docId, version }
}

export function presentStatus({ last, running }: UpdatesStatus) {
  return {
    last_update: last
      ? {
          ...presentSummary(last),
          path: last.target,
          started_at: last.startedAt.toISOString(),
          finished_at: last.finishedAt.toISOString(),
        }
      : {},
    running: running && {
      mode: running.mode as string,
      path: running.path,
      processed: running.processed,
      total: running.total,
      started_at: running.startedAt.toISOString(),
    },
    message: describe({ last, running }),
  }
}

function presentSummary(summary: UpdateSummary) {
  const { mode, scanned, added, updated, skipped, deleted, failed, durationSeconds, errors } = summary
  return {
    mode: mode as string,
    ...{ scanned, added, updated, skipped, deleted, failed },
    duration_seconds: durationSeconds,
    errors,
  }
}

function describe({ last, running }: UpdatesStatus): string {
  if (running) return `An update is running: ${running.processed} of ${running.total} files`
  if (!last) return 'No update has run yet'
  const failures = last.failed > 0 ? `, ${last.failed} files failed` : ''
  return `The last update finished at ${last.finishedAt.toISOString()}${failures}`
}
