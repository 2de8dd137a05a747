import type { EmbeddedSync } from './embedded-durability.ts'

/** Messages between the embedded database's worker thread and its client. */
export type WorkerRequest =
  | { id: number; op: 'query'; text: string; params: readonly unknown[] }
  | { id: number; op: 'exec'; text: string }
  | { id: number; op: 'listen'; channel: string }
  | { id: number; op: 'unlisten'; channel: string }
  /** Copies the database's files into a folder that does not exist yet. */
  | { id: number; op: 'copy'; folder: string }
  | { id: number; op: 'close' }

export type WorkerReply =
  | { kind: 'ready' }
  | { kind: 'failed'; error: SerialisedError }
  | { kind: 'result'; id: number; rows: unknown[]; affectedRows: number }
  | { kind: 'error'; id: number; error: SerialisedError }
  | { kind: 'notification'; channel: string; payload: string }
  /** The thread answers nothing any more. */
  | { kind: 'broken'; reason: string }

/** Code of the error of a database that Postgres does not open, with its reason for a message. */
export const DAMAGED = 'database_damaged'

/** The part of a Postgres error that survives the thread boundary. */
export interface SerialisedError {
  message: string
  code?: string
  detail?: string
  constraint?: string
}

export interface WorkerOptions {
  /** Folder of the database; undefined keeps it in memory. */
  dataDir: string | undefined
  /** Where a new database is made, to take the name of `dataDir` when it is whole; undefined: there is one. */
  initialising: string | undefined
  sync: EmbeddedSync
  /** Postgres' `shared_buffers`, in MB. */
  buffersMb: number
}
