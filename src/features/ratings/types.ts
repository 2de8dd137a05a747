/** A customer's rating of one resolved conversation. */
export interface Rating {
  sessionId: string
  /** Number of the message that told of the resolution. */
  resolution: number
  /** 1, the worst, to 5. */
  score: number
  comment: string | null
  /** Who had the conversation then. */
  agentId: string | null
  createdAt: Date
  updatedAt: Date
}

export interface RatingFilter {
  agentId?: string
  score?: number
  sessionId?: string
  from?: Date
  to?: Date
}
