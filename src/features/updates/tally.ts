import type { FileOutcome, UpdateCounts, UpdateMode, UpdateResult } from './types.ts'

/** The most that is listed of a run; the counts are complete. */
const MAX_FILES = 10_000
const MAX_ERRORS = 1_000

export type Tally = ReturnType<typeof createTally>

/** Counts what a run does, and its time from now on. */
export function createTally() {
  const start = performance.now()
  const counts: Omit<UpdateCounts, 'scanned'> = { added: 0, updated: 0, skipped: 0, deleted: 0, failed: 0 }
  const files: FileOutcome[] = []
  const errors: string[] = []
  const note = (error: string): void => {
    if (errors.length < MAX_ERRORS) errors.push(error)
  }
  return {
    skip(): void {
      counts.skipped++
    },
    add(outcome: FileOutcome): void {
      counts[outcome.status]++
      if (files.length < MAX_FILES) files.push(outcome)
      if (outcome.error !== null) note(`${outcome.path}: ${outcome.error}`)
    },
    /** Something went wrong that is no file's failure. */
    note,
    result: (mode: UpdateMode, scanned: number): UpdateResult => ({
      mode,
      scanned,
      ...counts,
      durationSeconds: Math.round(performance.now() - start) / 1000,
      errors,
      files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    }),
  }
}
