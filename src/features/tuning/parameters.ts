interface Definition {
  default: number
  min: number
  max: number
  integer: boolean
  description: string
}

const share = (value: number, description: string): Definition => ({
  default: value,
  min: 0,
  max: 1,
  integer: false,
  description,
})
const count = (value: number, min: number, max: number, description: string): Definition => ({
  default: value,
  min,
  max,
  integer: true,
  description,
})

/** Everything that can be tuned while the service runs. */
export const DEFINITIONS = {
  vector_weight: share(0.4, 'Share of the vector index when both indexes are fused'),
  lexical_top_k: count(50, 1, 200, 'Candidates taken from the lexical index'),
  vector_top_k: count(50, 1, 200, 'Candidates taken from the vector index'),
  rerank_top_k: count(5, 1, 50, 'Passages kept after ranking'),
  rrf_k: count(60, 1, 1_000, 'Constant of reciprocal rank fusion; larger evens out the ranks'),
  min_score: share(0.01, 'Passages below are dropped'),
  direct_answer_threshold: share(0.45, 'From this score on a passage is given as the answer'),
  clarify_threshold: share(0.06, 'From this score on the closest passage is offered as such; below, nothing was found'),
  title_weight: share(0.5, 'How much a match in title and headings counts'),
  recency_half_life_days: count(0, 0, 3_650, 'Days after which age costs half of what it can; 0: age does not matter'),
  max_context_tokens: count(3_000, 200, 32_000, 'Tokens of passages and history given to a model'),
  escalate_after_failures: count(2, 1, 10, 'Turns without a confident answer after which a person is called'),
  anger_threshold: { ...share(-0.6, 'Emotion at or below which a person is called'), min: -1, max: 0 },
  cache_ttl_seconds: count(300, 0, 86_400, 'Life of a cached reply; 0 switches the cache off'),
  cache_max_entries: count(1_000, 0, 100_000, 'Replies kept in the cache'),
} satisfies Record<string, Definition>

export type ParameterName = keyof typeof DEFINITIONS
export type TunerParameters = Record<ParameterName, number>

export const PARAMETER_NAMES = Object.keys(DEFINITIONS) as ParameterName[]

export const DEFAULTS = Object.fromEntries(
  PARAMETER_NAMES.map((name) => [name, DEFINITIONS[name].default]),
) as TunerParameters

/** The cache is one for all sessions of a process: its limits cannot be others for some of them. */
const OF_THE_PROCESS: readonly ParameterName[] = ['cache_ttl_seconds', 'cache_max_entries']

/** Parameters that every turn reads anew, so that an experiment can override them for its share of the sessions. */
export const TURN_PARAMETERS = PARAMETER_NAMES.filter((name) => !OF_THE_PROCESS.includes(name))

/** Problems of a set of changes, one line a problem; empty when nothing is. */
export function findProblems(changes: Record<string, unknown>, current: TunerParameters): string[] {
  const problems = Object.entries(changes).flatMap(([name, value]) => problemOf(name, value) ?? [])
  if (problems.length > 0) return problems
  const next = { ...current, ...changes }
  if (next.clarify_threshold <= next.direct_answer_threshold) return []
  return ['clarify_threshold: must not be above direct_answer_threshold']
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(DEFINITIONS, name)) return `${name}: no such parameter`
  const { min, max, integer } = DEFINITIONS[name as ParameterName]
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${name}: must be a number`
  if (integer && !Number.isInteger(value)) return `${name}: must be an integer`
  if (value < min || value > max) return `${name}: must be between ${min} and ${max}`
  return undefined
}
