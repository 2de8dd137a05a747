export type UpdateMode = 'full' | 'incremental'

/** The outcome of a run for one file. */
export interface FileOutcome {
  /** Real path of the file. */
  path: string
  status: 'added' | 'updated' | 'deleted' | 'failed'
  docId: string
  /** `v1`, `v2`, …; null: the document has no active version, or none was made. */
  version: string | null
  error: string | null
}

export type UpdateCounts = Record<'scanned' | 'skipped' | FileOutcome['status'], number>

/** The record of a finished run. */
export interface UpdateSummary extends UpdateCounts {
  mode: UpdateMode
  durationSeconds: number
  /** One line a failed file or unreadable folder, the first of them. */
  errors: string[]
}

export interface UpdateResult extends UpdateSummary {
  /** Of the files that were not skipped, the first of them. */
  files: FileOutcome[]
}

/** Of an update of one file: what became of it, also when it was skipped. */
export interface FileUpdateResult extends UpdateResult, Omit<FileOutcome, 'status' | 'error'> {
  status: FileOutcome['status'] | 'skipped'
}

export interface StoredRun extends UpdateSummary {
  path: string
  startedAt: Date
  finishedAt: Date
}
