/** A ticket as it is mined. */
export interface MinedTicket {
  ticketId: string
  subject: string
  content: string
  /** The answer that it was closed with; empty while it is open. */
  solution: string
  category: string
}

/** A frequent problem. */
export interface MinedCluster {
  /** A sentence of one of the tickets, as a question that is understood by itself. */
  question: string
  /** Tickets. */
  frequency: number
  /** The first 1,000, in the order of the tickets. */
  ticketIds: string[]
  /** The ticket whose solution is the best one; null when none was solved. */
  solutionTicketId: string | null
  /** As customers write them, the most telling first. */
  keywords: string[]
  /** Most frequent first. */
  categories: string[]
  /** How alike its tickets are, 0 to 1. */
  confidence: number
  /** Its matter: stemmed words with their weights, by which it is known again in later runs. */
  profile: Record<string, number>
}

export interface MiningOutcome {
  /** Most frequent first. */
  clusters: MinedCluster[]
  /** Frequent problems beyond the limit that were left out. */
  leftOut: number
  unclustered: Unclustered
}

/** Tickets that belong to no reported problem. */
export interface Unclustered {
  count: number
  /** Ten at most, from all over. */
  samples: { ticketId: string; text: string }[]
}

export interface MiningLimits {
  /** Tickets below which a cluster is no frequent problem. */
  minFrequency: number
  maxClusters: number
}

/** The data of the thread of a run. */
export interface MinerSettings {
  /** The analyser's user dictionary, so that tickets are read as the search reads them. */
  userDictionary: string
  limits: MiningLimits
}

/** A ticket on its way into the database; personal data is masked. */
export interface NewTicket extends MinedTicket {
  /** In lower case; empty when unknown. */
  status: string
  /** null: when it is stored, or as it was. */
  createdAt: Date | null
}

/** The columns of an import: those that were read, by field, and the others; a hundred at most of each. */
export interface ImportedColumns {
  used: Record<string, string[]>
  ignored: string[]
}

export interface ImportResult {
  imported: number
  updated: number
  /** Blank, or stored just so already. */
  skipped: number
  failed: number
  /** Why rows were left out, the first 100. */
  errors: string[]
  columns: ImportedColumns
}

/** Which tickets are mined; null: no limit. Both ends belong to the interval. */
export interface TicketFilter {
  from: Date | null
  to: Date | null
  status: string | null
}

/** A problem as earlier runs found it. */
export interface KnownCluster {
  clusterId: string
  solutionId: string | null
  question: string
  solution: string
  profile: Record<string, number>
  ticketIds: string[]
}

export interface ReportItem extends Omit<MinedCluster, 'solutionTicketId' | 'profile'> {
  clusterId: string
  /** Empty when no ticket was solved. */
  representativeSolution: string
  /** The knowledge base answers it already. */
  covered: boolean
  /** In the review queue; null: it was never proposed. */
  candidateId: string | null
}

export interface MiningReport {
  reportId: string
  startedAt: string
  finishedAt: string
  totalTickets: number
  /** Candidates of this run that wait for review. */
  ingested: number
  /** Most frequent first. */
  items: ReportItem[]
  /** Absent in reports of runs before it was counted. */
  unclustered?: Unclustered
  errors: string[]
}

export type RunState = 'running' | 'finished' | 'failed' | 'interrupted'

export interface StoredRun {
  reportId: string
  state: RunState
  /** The filter of the run. */
  startTime: string | null
  endTime: string | null
  status: string | null
  error: string | null
  startedAt: Date
  finishedAt: Date | null
}
