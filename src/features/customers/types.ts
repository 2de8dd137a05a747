/** Counts of an erasure, as its answer names them. */
export const ERASED_KINDS = [
  'sessions',
  'messages',
  'feedback',
  'traces',
  'tickets',
  'solutions',
  'attachments',
  'ratings',
  'notes',
  'mined_problems',
  'evaluation_cases',
  'deliveries',
  'channel_messages',
  'channel_addresses',
  'channel_links',
  'stored_answers',
  'alerts',
  'changes',
  'customers',
  'orders',
] as const
export type ErasedKind = (typeof ERASED_KINDS)[number]
export type Counts = Partial<Record<ErasedKind, number>>

/** Why data goes: somebody asked for it, or it is old. */
export type Reason = 'erasure' | 'age'

/** Whose rows go or are shown. Of a customer: every name under which they are known; of conversations: their sessions. */
export interface Owners {
  session_id: readonly string[]
  user_id: readonly string[]
  /** Names of the customer on the channels: native callbacks note the platform's own name. */
  channel_user: readonly { channel: string; name: string }[]
}

/** A table of which customers own rows: by which column, how they are called, in which order they come. */
export interface OwnedTable {
  table: string
  of: keyof Owners
  as: ErasedKind
  key: string
  /** Columns that are the service's own. */
  hidden: readonly string[]
}

/** Rows that one step removed; `more`: its batch was full, so that there may be more. */
export interface Removed {
  counts: Counts
  more: boolean
}

export interface Erasure {
  erasureId: string
  /** Digest of the user id. */
  subject: string
  /** Null once it has finished. */
  userId: string | null
  erasesRecords: boolean
  /** Name of the key that asked. */
  caller: string
  state: 'started' | 'finished'
  counts: Counts
  startedAt: Date
  finishedAt: Date | null
}

/** A problem that mining found, and what became of its candidate. */
export interface MinedProblem {
  clusterId: string
  solutionId: string | null
  solutionStatus: 'pending' | 'approved' | 'rejected' | null
}

/** A report as it is stored; `cases` of an evaluation alone. */
export interface StoredReport {
  kind: 'mining' | 'evaluation'
  ordinal: number
  reportId: string
  body: unknown
  cases: unknown
}

export interface ExportPlace {
  owner: string
  key: string
}
