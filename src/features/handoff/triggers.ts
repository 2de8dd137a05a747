import {
  describeTrigger,
  type EscalationReason,
  PRIORITIES,
  type Priority,
  type SensitiveTopic,
  type Trigger,
} from './reasons.ts'

/** Tuner parameters. */
export type EscalationThresholds = {
  /** Consecutive turns without a confident answer, 1 to 10. */
  escalateAfterFailures: number
  /** Emotion score, -1 to 0, at or below which a customer counts as angry. A neutral customer never does. */
  angerThreshold: number
}

/** Facts that are known when a reply is ready. None is text to be searched: the message was understood before. */
export type EscalationInput = {
  /** The language of the explanation; anything but Chinese is explained in English. */
  language: 'zh' | 'en' | 'other'
  /** The customer asked for a person in this message. */
  wantsHuman: boolean
  /** -1 (furious) to 1 (delighted). */
  emotionScore: number
  sensitiveTopic: SensitiveTopic | null
  /** Consecutive turns without a confident answer, this one included. */
  failedAttempts: number
  /** Whether this turn's retrieval found anything relevant, be it not enough to answer. */
  knowledgeFound: boolean
  /** A decision that the assistant may not take, as the business agent puts it ("exchange after 30 days"), or null. */
  restriction: string | null
  /** A business system that failed on a request which cannot be answered without it, or null. */
  toolFailure: { system: string } | null
  thresholds: EscalationThresholds
}

/** `reasonDetail` names every trigger that holds, the decisive one first. It may quote the customer: mask before showing. */
export type EscalationDecision = {
  escalate: true
  reason: EscalationReason
  reasonDetail: string
  priority: Priority
}

/** Harm and theft do not wait; a dispute or a leak comes before anything that is merely unanswered. */
const TOPIC_PRIORITY = { safety: 'urgent', fraud: 'urgent', legal: 'high', privacy: 'high' } as const

/**
 * Decides whether a person is needed, null if not. When several triggers hold, the first of `holdingTriggers` is the reason
 * and the priority is the highest of them.
 */
export function decideEscalation(input: EscalationInput): EscalationDecision | null {
  const triggers = holdingTriggers(input)
  const [decisive] = triggers
  if (!decisive) return null
  const separator = input.language === 'zh' ? '；' : ' '
  return {
    escalate: true,
    reason: decisive.reason,
    reasonDetail: triggers.map((trigger) => describeTrigger(trigger, input.language)).join(separator),
    priority: highestPriority(triggers.map(triggerPriority)),
  }
}

/** The most pressing of the given ones; `low` for none. */
export function highestPriority(priorities: readonly Priority[]): Priority {
  return PRIORITIES.findLast((priority) => priorities.includes(priority)) ?? 'low'
}

/** Every trigger that holds, the weightiest first. */
export function holdingTriggers(input: EscalationInput): Trigger[] {
  const candidates = [
    topicTrigger(input),
    input.wantsHuman ? ({ reason: 'customer_request' } as const) : null,
    angerTrigger(input),
    restrictionTrigger(input),
    input.toolFailure && ({ reason: 'tool_failure', system: input.toolFailure.system } as const),
    failureTrigger(input),
  ]
  return candidates.filter((trigger) => trigger !== null)
}

function topicTrigger({ sensitiveTopic }: EscalationInput): Trigger | null {
  if (sensitiveTopic === null || sensitiveTopic === 'refund_limit') return null
  return { reason: 'sensitive_topic', topic: sensitiveTopic }
}

function angerTrigger({ emotionScore, thresholds }: EscalationInput): Trigger | null {
  const isAngry = emotionScore < 0 && emotionScore <= thresholds.angerThreshold
  return isAngry ? { reason: 'negative_emotion', score: emotionScore, threshold: thresholds.angerThreshold } : null
}

function restrictionTrigger({ restriction, sensitiveTopic }: EscalationInput): Trigger | null {
  if (restriction !== null) return { reason: 'policy_restriction', restriction }
  return sensitiveTopic === 'refund_limit' ? { reason: 'policy_restriction', restriction: null } : null
}

function failureTrigger({ failedAttempts, knowledgeFound, thresholds }: EscalationInput): Trigger | null {
  const threshold = thresholds.escalateAfterFailures
  if (failedAttempts < threshold) return null
  const reason = knowledgeFound ? 'repeated_failure' : 'missing_knowledge'
  return { reason, failures: failedAttempts, threshold }
}

function triggerPriority(trigger: Trigger): Priority {
  switch (trigger.reason) {
    case 'sensitive_topic':
      return TOPIC_PRIORITY[trigger.topic]
    case 'negative_emotion':
      return isFurious(trigger) ? 'urgent' : 'high'
    case 'missing_knowledge':
      return 'low'
    default:
      return 'medium'
  }
}

/** Past the middle between the threshold and the end of the scale. */
function isFurious({ score, threshold }: { score: number; threshold: number }): boolean {
  return score <= (threshold - 1) / 2
}
