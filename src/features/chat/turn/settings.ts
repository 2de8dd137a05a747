import type { EscalationThresholds } from '../../handoff/index.ts'
import type { RetrievalParameters } from '../../knowledge/index.ts'
import { type AssistantSettings, PLAIN_ASSISTANT } from '../../settings/index.ts'
import type { TunerParameters } from '../../tuning/index.ts'

/** Everything that is set and that a turn goes by; made once a turn, so that none changes within it. */
export interface TurnSettings {
  retrieval: RetrievalParameters
  thresholds: AnswerThresholds
  escalation: EscalationThresholds
  /** Tokens of passages and history together that a model is given. */
  maxContextTokens: number
  /** How the assistant calls itself and speaks. */
  assistant: AssistantSettings
  /** Words for a call of a person outside the working hours, by language; null: people are there. */
  closed: Record<'zh' | 'en', string> | null
}

export interface AnswerThresholds {
  /** 0..1: from this score on a passage is given as the answer. */
  directAnswer: number
  /** 0..1: from this score on the closest passage is offered; below, nothing was found. */
  clarify: number
}

/** @param overrides what the experiments of a session change */
export function turnSettings(
  params: TunerParameters,
  overrides: Partial<TunerParameters> = {},
  assistant: AssistantSettings = PLAIN_ASSISTANT,
  closed: TurnSettings['closed'] = null,
): TurnSettings {
  const merged = { ...params, ...overrides }
  return {
    retrieval: {
      vectorWeight: merged.vector_weight,
      lexicalTopK: merged.lexical_top_k,
      vectorTopK: merged.vector_top_k,
      rerankTopK: merged.rerank_top_k,
      rrfK: merged.rrf_k,
      minScore: merged.min_score,
      titleWeight: merged.title_weight,
      recencyHalfLifeDays: merged.recency_half_life_days,
    },
    thresholds: { directAnswer: merged.direct_answer_threshold, clarify: merged.clarify_threshold },
    escalation: {
      escalateAfterFailures: merged.escalate_after_failures,
      angerThreshold: merged.anger_threshold,
    },
    maxContextTokens: merged.max_context_tokens,
    assistant,
    closed,
  }
}
