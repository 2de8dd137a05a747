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
  createdAt: Date
}

export interface ListedExperiment extends Experiment {
  /** Values recorded, of all metrics. */
  samples: number
}

/** What is known of a metric's values: `squares` is the sum of squared deviations from the mean. */
export interface MetricRow {
  variant: string
  metric: string
  count: number
  mean: number
  squares: number
}

/** Values on their way into the database, of one experiment. */
export interface MetricBatch extends MetricRow {
  experimentId: string
}

export interface SessionCounts {
  sessions: number
  escalated: number
  resolved: number
}

export interface AskedQuestion {
  question: string
  count: number
}

export interface Dashboard {
  totalSessions: number
  escalationRate: number
  resolutionRate: number
  avgResponseTimeMs: number
  hotQuestions: AskedQuestion[]
  collectedAt: Date
}
