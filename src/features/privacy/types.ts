/** What an erasure counts, as its answer names it. */
export const ERASED_KINDS = [
  'sessions',
  'messages',
  'feedback',
  'traces',
  'tickets',
  'solutions',
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

/** Whose data goes or is shown: every name under which the customer is known. */
export interface Subject {
  userIds: readonly string[]
  /** What the channels call the customer: native callbacks note the platform's own name. */
  onChannels: readonly { channel: string; name: string }[]
}

/** What one step removed; `more`: its batch was full, so that there may be more. */
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

/** Rows of one table that are removed by their age. */
export interface AgeRule {
  table: string
  /** The column that tells the age. */
  column: string
}

/** What was made of conversations and may be quoted elsewhere. */
export interface Quotes {
  ticketIds: readonly string[]
  solutionIds: readonly string[]
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

/** A table that is exported: whose its rows are, in which order they come, and what is the service's own. */
export interface ExportTable {
  table: string
  owner: 'session_id' | 'user_id'
  key: string
  hidden: readonly string[]
}

export interface ExportPlace {
  owner: string
  key: string
}

export interface ExportPage {
  items: object[]
  /** Null: it was the last page. */
  next: ExportPlace | null
}
