/** A question and what a right answer rests on. Nothing expected: the right answer is that there is none. */
export interface EvaluationCase {
  query: string
  /** File names or paths, of which the last part counts. */
  expectedSources: readonly string[]
  expectedDocIds: readonly string[]
  /** Texts that the passage found, and the answer, must hold. */
  expectedContent: readonly string[]
  category: string
  /** Earlier messages, oldest first. */
  history: readonly HistoryMessage[]
}

export interface HistoryMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface RetrievedPassage {
  chunkId: number
  docId: string
  source: string
  /** 0 to 1. */
  score: number
  excerpt: string
  /** Holds what the case expects. */
  relevant: boolean
}

/** How sure the assistant was; `none`: it said that it found no answer. */
export type Confidence = 'sure' | 'close' | 'asks' | 'none'

/** How one case went. Ranks count from 1. */
export interface CaseResult extends EvaluationCase {
  /** Queries that were searched for: one for each part of the question, standing alone. */
  queries: string[]
  /** The first `top_k`, at most ten. */
  retrieved: RetrievedPassage[]
  /** Where each of the things that are expected was found first; null: not within the depth that is looked at. */
  targetRanks: (number | null)[]
  /** Of the first relevant passage. */
  rank: number | null
  /** A relevant passage is among the first `top_k`; of an unanswerable case: the assistant said that it found none. */
  hit: boolean
  /** Beginning of the reply. */
  answer: string
  confidence: Confidence
  answerRight: boolean
  latencyMs: number
}

/** Shares are in 0..1; null where no case has anything to find. */
export interface Figures {
  totalQueries: number
  recallAt1: number | null
  recallAt3: number | null
  recallAt5: number | null
  recallAt10: number | null
  hitRate: number
  mrr: number | null
  ndcgAt5: number | null
  answerAccuracy: number
}

export type Severity = 'info' | 'warning' | 'critical'

export interface Recommendation {
  issue: string
  severity: Severity
  suggestion: string
}

/** Everything of a report but its cases. */
export interface ReportSummary extends Figures {
  reportId: string
  createdAt: Date
  /** `builtin`, the path as it was asked for, or the name of a stored set. */
  testset: string
  topK: number
  avgLatencyMs: number
  p95LatencyMs: number
  byCategory: Record<string, Figures>
  /** The tuner's parameters that the run went by. */
  params: Record<string, number>
  /** Counts the changes of the knowledge base. */
  knowledgeVersion: number
  recommendations: Recommendation[]
}

export interface Report extends ReportSummary {
  cases: CaseResult[]
}

export function isAnswerable(expected: EvaluationCase): boolean {
  const { expectedSources, expectedDocIds, expectedContent } = expected
  return expectedSources.length + expectedDocIds.length + expectedContent.length > 0
}
