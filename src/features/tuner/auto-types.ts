import type { Performance } from './auto-worth.ts'
import type { ParameterName, TunerParameters } from './parameters.ts'

export type ParameterChanges = Partial<Record<ParameterName, { from: number; to: number }>>

/** What one automatic tuning tried, found and did. */
export interface AutoReport {
  searchId: string
  testset: string
  seed: number
  knowledgeVersion: number
  trainCases: number
  heldOutCases: number
  /** Every set of parameters that was tried on the training cases, in order, by what differs from those in force. */
  candidates: { changes: ParameterChanges; score: number }[]
  current: { params: TunerParameters; train: Performance; heldOut: Performance }
  /** The best on the training cases. */
  best: { changes: ParameterChanges; train: Performance; heldOut: Performance }
  /** Of the score on the held-out cases, best less current, with its 95 % confidence interval. */
  difference: { mean: number; low: number; high: number }
  verdict: 'better' | 'not_significant' | 'worse'
  applied: boolean
  /** Why it was applied or not. */
  reason: string
  /** Version of the parameters in force afterwards. */
  tunerVersion: number
}
