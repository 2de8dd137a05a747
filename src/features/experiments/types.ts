import type { Moments } from './statistics.ts'

/** An A/B experiment. */
export interface Experiment {
  name: string
  /** Changes when an experiment is replaced. */
  experimentId: string
  description: string
  /** In the order in which they were given: the first one is what the others are compared with. */
  variants: string[]
  /** Fraction by variant; they sum to 1. */
  trafficSplit: Record<string, number>
  /** Tuner parameters that a variant overrides for its share of the sessions. */
  variantParams: Record<string, Record<string, number>>
  /** It changes replies: only who has the key makes, replaces, ends or removes it. */
  isGuarded: boolean
  createdAt: Date
  /** Since then it changes nothing and records nothing; null: it runs. */
  endedAt: Date | null
  /** Measure that tells whether a variant is better; null: nobody said. */
  judgedBy: JudgedBy | null
  /** It ends by itself then, or when each variant was measured by so many sessions; null: when somebody ends it. */
  endsAt: Date | null
  sessionsPerVariant: number | null
  endReason: EndReason | null
  endedBy: string | null
}

export const JUDGED_BY = ['rating', 'feedback', 'handoff', 'resolved', 'evaluation'] as const
export type JudgedBy = (typeof JUDGED_BY)[number]

export const END_REASONS = ['by_hand', 'time', 'sessions'] as const
export type EndReason = (typeof END_REASONS)[number]

/** How an experiment came to its end. */
export interface Ending {
  at: Date
  reason: EndReason
  by: string | null
}

export interface ListedExperiment extends Experiment {
  /** Values recorded, of all metrics. */
  samples: number
}

/** Statistics of a metric's values. */
export interface MetricRow extends Moments {
  variant: string
  metric: string
}

/** Values on their way into the database, of one experiment. */
export interface MetricBatch extends MetricRow {
  experimentId: string
}

/** A session or customer that a variant was measured by, as a hash of 63 bits in decimal digits. */
export interface UnitRow {
  experimentId: string
  variant: string
  unit: string
}

export interface UnitCount {
  variant: string
  /** Units kept: all of them, or the smallest hashes where there were more. */
  count: number
  /** Largest of the kept hashes, 0..1 of all that a hash can be. */
  share: number
}

/** A session that is over, with what is known for certain of how it ended. */
export interface EndedSession {
  sessionId: string
  /** It was handed to a person. */
  hadPerson: boolean
  /** The customer's last one; null: none was given. */
  rating: 'up' | 'down' | null
}
