/** `draft`: made by itself; nobody has handed it in. */
export type SolutionStatus = 'draft' | 'pending' | 'approved' | 'rejected'

/** Who proposed it: a person who answered a customer, or the mining of tickets. */
export type SolutionOrigin = 'human' | 'mining'

/** A passage of the knowledge base that says something like the solution. */
export interface SimilarPassage {
  docId: string
  source: string
  question: string | null
  /** Cut to a few lines. */
  content: string
  /** 0..1 */
  score: number
}

/** Something of a customer's that is not published. */
export interface MaskedValue {
  field: 'question' | 'solution'
  /** `name`, `phone`, `email`, `address`, `order`, `tracking`, `account`, `payment`, `card` or `identity`. */
  kind: string
}

export interface Solution {
  solutionId: string
  sessionId: string
  question: string
  solution: string
  intent: string
  status: SolutionStatus
  origin: SolutionOrigin
  similar: SimilarPassage[]
  /** Facts that mining has of its candidates: frequency, keywords, tickets. */
  details: Record<string, unknown>
  /** Grows with every edit. */
  revision: number
  /** The document that it became. */
  docId: string | null
  /** Why it was rejected. */
  reason: string | null
  /** Who approved or rejected it, as far as that was said. */
  reviewer: string | null
  /** The values masked in it; of an approved one, those that were. */
  masked: MaskedValue[]
  /** Warnings to the reviewer; of an approved one, those that there were. */
  warnings: string[]
  createdAt: Date
  updatedAt: Date
  reviewedAt: Date | null
}

/** The fields that can be edited before approval. */
export type SolutionText = Pick<Solution, 'question' | 'solution' | 'intent'>

/** A candidate of mining; `candidateKey` names it from run to run. */
export interface Candidate extends SolutionText {
  candidateKey: string
  details: Record<string, unknown>
}

/** Rest of a resolved conversation: `key` names its resolution. */
export interface Draft extends Pick<Solution, 'question' | 'solution' | 'sessionId'> {
  key: string
  /** When the conversation that was resolved began: what its person handed in since makes a draft needless. */
  since: Date
}

export interface SolutionFilter {
  status: SolutionStatus | null
  /** Words of the question or the solution. */
  q: string | null
  /** The id of a solution: those before it. */
  before: string | null
  limit: number
}
