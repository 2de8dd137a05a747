/** Counts of every minute. Of measured values the distribution is kept, so that percentiles can be told. */
export const FACTS = {
  turn: { isMeasured: true },
  answered: { isMeasured: false },
  unsure: { isMeasured: false },
  error: { isMeasured: false },
  cache_hit: { isMeasured: false },
  tokens: { isMeasured: false },
  cost: { isMeasured: false },
  handoff: { isMeasured: false },
  resolved_by_assistant: { isMeasured: false },
  resolved_by_person: { isMeasured: false },
  waiting: { isMeasured: true },
  first_response: { isMeasured: true },
  feedback_up: { isMeasured: false },
  feedback_down: { isMeasured: false },
  rated: { isMeasured: false },
} as const
export type Fact = keyof typeof FACTS

/** How a number is made of the facts of its time. */
export type Reading = 'count' | 'sum' | 'mean' | 'p50' | 'p95'
export type Unit =
  | 'turns'
  | 'sessions'
  | 'handoffs'
  | 'replies'
  | 'ms'
  | 's'
  | 'tokens'
  | 'currency'
  | 'ratings'
  | 'points'

export interface Metric {
  fact: Fact
  reading: Reading
  unit: Unit
  description: string
  /** Facts with the conversations behind it, where its own name none. */
  behind?: Fact
  /** The filter of `/monitor/traces` that finds them; missing: they are no turns. */
  traces?: Record<string, string>
}

/** Every number that there is a series of. */
export const METRICS = {
  turns: { fact: 'turn', reading: 'count', unit: 'turns', description: 'Messages that were answered', traces: {} },
  answered: {
    fact: 'answered',
    reading: 'count',
    unit: 'turns',
    description: 'Turns with a sure answer of the knowledge base',
    traces: { confidence: 'sure' },
  },
  unsure: {
    fact: 'unsure',
    reading: 'count',
    unit: 'turns',
    description: 'Turns in which the knowledge base was asked and had no sure answer',
    traces: { confidence: 'unsure' },
  },
  errors: {
    fact: 'error',
    reading: 'count',
    unit: 'turns',
    description: 'Turns that failed',
    traces: { status: 'error' },
  },
  cache_hits: {
    fact: 'cache_hit',
    reading: 'count',
    unit: 'turns',
    description: 'Turns whose reply came from the cache',
    traces: { cached: 'true' },
  },
  latency_p50_ms: {
    fact: 'turn',
    reading: 'p50',
    unit: 'ms',
    description: 'Half of the turns took no longer; to within 5 %',
    traces: {},
  },
  latency_p95_ms: {
    fact: 'turn',
    reading: 'p95',
    unit: 'ms',
    description: 'One turn in twenty took longer; to within 5 %',
    traces: {},
  },
  tokens: {
    fact: 'tokens',
    reading: 'sum',
    unit: 'tokens',
    description: 'Tokens that models read and wrote for turns',
    traces: {},
  },
  cost: {
    fact: 'cost',
    reading: 'sum',
    unit: 'currency',
    description: 'Costs of all calls of models, by the price file of their time; empty without prices',
    behind: 'tokens',
    traces: {},
  },
  handoffs: { fact: 'handoff', reading: 'count', unit: 'handoffs', description: 'Calls for a person' },
  resolved_by_assistant: {
    fact: 'resolved_by_assistant',
    reading: 'count',
    unit: 'sessions',
    description:
      'Sessions that were quiet for half an hour, needed no person, ended with a confident reply and were not rated down; when that was clear',
  },
  resolved_by_person: {
    fact: 'resolved_by_person',
    reading: 'count',
    unit: 'sessions',
    description: 'Sessions that a person resolved',
  },
  waiting_seconds: {
    fact: 'waiting',
    reading: 'mean',
    unit: 's',
    description: 'From the call for a person, or the return to the queue, to the moment in which one took the session',
  },
  waiting_p95_seconds: {
    fact: 'waiting',
    reading: 'p95',
    unit: 's',
    description: 'One call in twenty waited longer; to within 5 %',
  },
  first_response_seconds: {
    fact: 'first_response',
    reading: 'mean',
    unit: 's',
    description: 'From the call for a person to the first words of one',
  },
  first_response_p95_seconds: {
    fact: 'first_response',
    reading: 'p95',
    unit: 's',
    description: 'One call in twenty waited longer for words; to within 5 %',
  },
  feedback_up: { fact: 'feedback_up', reading: 'count', unit: 'replies', description: 'Replies that were rated up' },
  feedback_down: {
    fact: 'feedback_down',
    reading: 'count',
    unit: 'replies',
    description: 'Replies that were rated down',
  },
  ratings: {
    fact: 'rated',
    reading: 'count',
    unit: 'ratings',
    description: 'Ratings of conversations that a person resolved',
  },
  rating: {
    fact: 'rated',
    reading: 'mean',
    unit: 'points',
    description: 'Mean of those ratings, 1 to 5, as they were given first',
  },
} as const satisfies Record<string, Metric>
export type MetricName = keyof typeof METRICS
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[]

/** Each bin of a distribution reaches to so many times its beginning. */
const BIN_RATIO = 1.1

/** How the distribution of measured values is kept. */
export interface Distribution {
  measured: string[]
  logOfBin: number
}
export const DISTRIBUTION: Distribution = {
  measured: Object.keys(FACTS).filter((fact) => FACTS[fact as Fact].isMeasured),
  logOfBin: Math.log(BIN_RATIO),
}

/** Facts of one bin within a bucket. */
export interface BinCount {
  bin: number
  count: number
  total: number
}

/** The number of one bucket; where nothing happened, counts and sums are 0 and all else is null. */
export function readBucket(reading: Reading, bins: readonly BinCount[]): number | null {
  const count = bins.reduce((sum, each) => sum + each.count, 0)
  const total = bins.reduce((sum, each) => sum + each.total, 0)
  if (reading === 'count') return count
  if (reading === 'sum') return total
  if (count === 0) return null
  if (reading === 'mean') return total / count
  return percentile(bins, count * (reading === 'p50' ? 0.5 : 0.95))
}

/** The middle of the bin in which the share is reached, between which and any value of it lie at most 5 %. */
function percentile(bins: readonly BinCount[], wanted: number): number {
  let seen = 0
  const sorted = bins.toSorted((a, b) => a.bin - b.bin)
  for (const { bin, count } of sorted) {
    seen += count
    if (seen >= wanted) return BIN_RATIO ** (bin + 0.5)
  }
  return 0
}
