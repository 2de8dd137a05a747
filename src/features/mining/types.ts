/** A ticket as it is mined. */
export interface MinedTicket {
  ticketId: string
  subject: string
  content: string
  /** What it was closed with; empty while it is open. */
  solution: string
  category: string
}

/** A frequent problem. */
export interface MinedCluster {
  /** A sentence of one of the tickets. */
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
  /** What it is about: stemmed words with their weights, by which it is known again in later runs. */
  profile: Record<string, number>
}

export interface MiningOutcome {
  /** Most frequent first. */
  clusters: MinedCluster[]
  /** Frequent problems beyond the limit that were left out. */
  leftOut: number
}

export interface MiningLimits {
  /** Tickets below which a cluster is no frequent problem. */
  minFrequency: number
  maxClusters: number
}
