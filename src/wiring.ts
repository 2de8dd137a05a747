import type { Knowledge, RetrievalParameters, SearchRequest } from './features/knowledge/index.ts'
import type { TunerParameters } from './features/tuner/index.ts'

/** Adapters between features that do not know each other. */

export function retrievalParameters(params: TunerParameters): RetrievalParameters {
  return {
    vectorWeight: params.vector_weight,
    lexicalTopK: params.lexical_top_k,
    vectorTopK: params.vector_top_k,
    rerankTopK: params.rerank_top_k,
    rrfK: params.rrf_k,
    minScore: params.min_score,
    titleWeight: params.title_weight,
    recencyHalfLifeDays: params.recency_half_life_days,
  }
}

export function answerThresholds(params: TunerParameters): { directAnswer: number; clarify: number } {
  return { directAnswer: params.direct_answer_threshold, clarify: params.clarify_threshold }
}

export function escalationThresholds(params: TunerParameters): {
  escalateAfterFailures: number
  angerThreshold: number
} {
  return { escalateAfterFailures: params.escalate_after_failures, angerThreshold: params.anger_threshold }
}

/** What the experiments of a session change in how it is answered. */
export function sessionSettings(
  knowledge: Pick<Knowledge, 'search'>,
  params: TunerParameters,
  overrides: Partial<TunerParameters>,
) {
  if (Object.keys(overrides).length === 0) return { variant: '' }
  const merged = { ...params, ...overrides }
  const parameters = retrievalParameters(merged)
  return {
    variant: JSON.stringify(overrides),
    knowledge: { search: (request: SearchRequest) => knowledge.search({ ...request, parameters }) },
    thresholds: () => answerThresholds(merged),
    escalation: () => escalationThresholds(merged),
  }
}
