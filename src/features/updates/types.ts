export type UpdateMode = 'full' | 'incremental'

/** What a run did to one file. */
export interface FileOutcome {
  /** Real path of the file. */
  path: string
  status: 'added' | 'updated' | 'deleted' | 'failed'
  docId: string
  /** `v1`, `v2`, …; null: the document has no active version, or none was made. */
  version: string | null
  error: string | null
}

export interface UpdateCounts {
  scanned: number
  added: number
  updated: number
  skipped: number
  deleted: number
  failed: number
}

/** What is kept of a finished run. */
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
export interface FileUpdateResult extends UpdateResult {
  file: Omit<FileOutcome, 'status'> & { status: FileOutcome['status'] | 'skipped' }
}

export interface StoredRun extends UpdateSummary {
  target: string
  startedAt: Date
  finishedAt: Date
}
