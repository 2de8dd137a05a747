export type GapState = 'open' | 'drafted' | 'closed' | 'ignored'
export type GapKind = 'unsure' | 'rated_down'

/** A document that comes nearest to a gap. */
export interface NearDocument {
  docId: string
  source: string
  score: number
}

/** A question that was not answered, or badly. */
export interface GapQuestion {
  messageId: string
  seq: number
  sessionId: string
  kind: GapKind
  /** Masked. */
  question: string
  language: 'zh' | 'en'
  /** Versions that a badly rated reply rested on, such as `doc_1 v2`. */
  restedOn: string[]
  askedAt: Date
}

export interface Gap {
  gapId: string
  state: GapState
  /** The newest of its questions. */
  question: string
  count: number
  sessions: number
  unsure: number
  ratedDown: number
  firstSeen: Date
  lastSeen: Date
  /** Distinct questions, the newest first. */
  examples: string[]
  languages: string[]
  documents: NearDocument[]
  solutionId: string | null
  checkedAt: Date | null
  decidedBy: string | null
  decidedAt: Date | null
}

export interface GapFilter {
  state: GapState | null
  since: Date | null
  until: Date | null
  language: string | null
}

/** Marks by which a group is recognised. */
export interface Leader {
  gapId: string
  meaning: Float32Array
  question: string
}
