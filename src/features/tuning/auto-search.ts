import { shuffle } from './auto-split.ts'
import type { ParameterName, TunerParameters } from './parameters.ts'

/** One set of parameters and the mean objective of the training cases under it. */
export interface Candidate {
  params: TunerParameters
  score: number
}

interface Dimension {
  name: ParameterName
  low: number
  high: number
  /** Counts are searched by factors, shares by differences. */
  scale: 'linear' | 'logarithmic'
}

/**
 * Parameters that are searched, and how far. The rest is not a matter of right and wrong: limits, ages and prices. The
 * ends lie within the ranges of the parameters, where values still make sense.
 */
export const DIMENSIONS: readonly Dimension[] = [
  { name: 'vector_weight', low: 0, high: 1, scale: 'linear' },
  { name: 'title_weight', low: 0, high: 1, scale: 'linear' },
  { name: 'direct_answer_threshold', low: 0.05, high: 0.95, scale: 'linear' },
  { name: 'clarify_threshold', low: 0.05, high: 0.95, scale: 'linear' },
  { name: 'min_score', low: 0, high: 0.3, scale: 'linear' },
  { name: 'rrf_k', low: 1, high: 200, scale: 'logarithmic' },
  { name: 'lexical_top_k', low: 10, high: 200, scale: 'logarithmic' },
  { name: 'vector_top_k', low: 10, high: 200, scale: 'logarithmic' },
]

const RANDOM_SHARE = 0.4
const FIRST_STEP = 0.25
const SMALLEST_STEP = 1 / 64
/** Smaller differences are rounding. */
const EPSILON = 1e-9

export interface SearchOptions {
  start: TunerParameters
  /** Mean objective of the training cases. */
  score(params: TunerParameters): Promise<number>
  /** How often `score` may be called. */
  budget: number
  /** Numbers in [0, 1). */
  random: () => number
}

/**
 * Looks for better parameters: first at random, around those in force, then one parameter after the other with smaller
 * and smaller steps, at last taking back what gains nothing. The candidates come in the order in which they were tried,
 * the first being `start`.
 */
export async function searchParameters(options: SearchOptions): Promise<{ best: Candidate; tried: Candidate[] }> {
  const { start, budget, random } = options
  const tried: Candidate[] = []
  const known = new Map<string, Candidate>()
  // Changes that gain nothing are taken back at the end, each parameter once.
  const limit = Math.max(1, budget - DIMENSIONS.length)
  const attempt = async (params: TunerParameters, upTo: number): Promise<Candidate | null> => {
    const key = JSON.stringify(DIMENSIONS.map(({ name }) => params[name]))
    const before = known.get(key)
    if (before || tried.length >= upTo) return before ?? null
    const candidate = { params, score: await options.score(params) }
    known.set(key, candidate)
    tried.push(candidate)
    return candidate
  }

  let best = (await attempt(start, budget)) as Candidate
  const consider = (candidate: Candidate | null): boolean => {
    if (!candidate || candidate.score <= best.score + EPSILON) return false
    best = candidate
    return true
  }
  for (let i = 0; i < RANDOM_SHARE * limit; i++) consider(await attempt(randomlyAround(start, random), limit))
  for (let step = FIRST_STEP; step >= SMALLEST_STEP && tried.length < limit; ) {
    let improved = false
    for (const dimension of shuffle(DIMENSIONS, random)) {
      for (const direction of [step, -step]) {
        improved = consider(await attempt(moved(best.params, dimension, direction), limit)) || improved
      }
    }
    if (!improved) step /= 2
  }
  for (const { name } of DIMENSIONS) {
    const simpler = await attempt(ordered({ ...best.params, [name]: start[name] }, name), budget)
    if (simpler && simpler.score >= best.score - EPSILON) best = simpler
  }
  return { best, tried }
}

/** About half of the parameters drawn anew. */
function randomlyAround(start: TunerParameters, random: () => number): TunerParameters {
  const params = { ...start }
  for (const dimension of DIMENSIONS) if (random() < 0.5) params[dimension.name] = at(dimension, random())
  return ordered(params, random() < 0.5 ? 'clarify_threshold' : 'direct_answer_threshold')
}

function moved(params: TunerParameters, dimension: Dimension, by: number): TunerParameters {
  const place = Math.min(1, Math.max(0, placeOf(dimension, params[dimension.name]) + by))
  return ordered({ ...params, [dimension.name]: at(dimension, place) }, dimension.name)
}

/** The value at a place between the low end (0) and the high end (1). */
function at({ low, high, scale }: Dimension, place: number): number {
  if (scale === 'linear') return Math.round((low + (high - low) * place) * 1_000) / 1_000
  return Math.round(low * (high / low) ** place)
}

function placeOf({ low, high, scale }: Dimension, value: number): number {
  const inside = Math.min(high, Math.max(low, value))
  return scale === 'linear' ? (inside - low) / (high - low) : Math.log(inside / low) / Math.log(high / low)
}

/** Nothing can be answered directly without being worth offering; the threshold that was `changed` takes the other along. */
function ordered(params: TunerParameters, changed: ParameterName): TunerParameters {
  const { clarify_threshold: clarify, direct_answer_threshold: direct } = params
  if (clarify <= direct) return params
  return changed === 'clarify_threshold'
    ? { ...params, direct_answer_threshold: clarify }
    : { ...params, clarify_threshold: direct }
}
