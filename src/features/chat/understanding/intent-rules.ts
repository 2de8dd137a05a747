import type { ChitchatKind, Intent, RankedIntent, SensitiveTopic } from '../../../language/understanding.ts'

/** Facts that the rules know about a piece of a message beside the classifier's ranking. */
export type Signals = {
  wantsHuman: boolean
  chitchatKind: ChitchatKind | null
  sensitiveTopic: SensitiveTopic | null
  emotionScore: number
  /** Nothing but an order or parcel number. */
  isNumberOnly: boolean
  /** A follow-up or an answer, which says little by itself. */
  isDependent: boolean
  /** A plain yes or no, or a choice: it is about whatever was spoken of. */
  isReaction: boolean
  lastIntent: Intent | undefined
}

const TOPICLESS: ReadonlySet<Intent> = new Set(['chitchat', 'unknown', 'complaint', 'human'])
const SURE = 0.95
const ANGRY = -0.5
const WEAK = 0.5
// Anger multiplies the odds of a complaint; a definite request ("refund me, you crooks") still outweighs it.
const ANGER_ODDS = 3
const LEGAL_ODDS = 4
const CONTEXT_ODDS = 4

/** Settles the ranking of the classifier by what the rules saw. Confidences sum to 1 again; best first. */
export function settleRanking(ranking: readonly RankedIntent[], signals: Signals): RankedIntent[] {
  if (signals.wantsHuman) return lead(ranking, 'human', SURE)
  // One judgement decides about a person: "update my agent" sounds like a wish for one and is none.
  let settled = weigh(ranking, 'human', 0)
  const lastIntent = signals.lastIntent === 'human' ? undefined : signals.lastIntent
  if (signals.isNumberOnly) return lead(settled, lastIntent ?? 'order', 0.6)
  if (signals.isReaction && lastIntent !== undefined && !TOPICLESS.has(lastIntent))
    return lead(settled, lastIntent, SURE)
  if (signals.chitchatKind !== null && !(signals.isDependent && lastIntent !== undefined))
    return lead(settled, 'chitchat', SURE)
  if (signals.emotionScore <= ANGRY) settled = weigh(settled, 'complaint', ANGER_ODDS)
  if (signals.sensitiveTopic === 'legal') settled = weigh(settled, 'complaint', LEGAL_ODDS)
  if (signals.isDependent && lastIntent !== undefined && (settled[0]?.confidence ?? 0) < WEAK)
    settled = weigh(settled, lastIntent, CONTEXT_ODDS)
  return settled
}

function lead(ranking: readonly RankedIntent[], intent: Intent, confidence: number): RankedIntent[] {
  const rest = ranking.filter((ranked) => ranked.intent !== intent)
  const mass = rest.reduce((sum, ranked) => sum + ranked.confidence, 0)
  const share = (ranked: RankedIntent) => (mass === 0 ? 1 / rest.length : ranked.confidence / mass)
  return [
    { intent, confidence },
    ...rest.map((ranked) => ({ intent: ranked.intent, confidence: share(ranked) * (1 - confidence) })),
  ]
}

/** Multiplies the weight of one intent and scales the sum back to 1. */
function weigh(ranking: readonly RankedIntent[], intent: Intent, factor: number): RankedIntent[] {
  const weighed = ranking.map((ranked) =>
    ranked.intent === intent ? { ...ranked, confidence: ranked.confidence * factor } : ranked,
  )
  return normalise(weighed)
}

/** Scales confidences to a sum of 1 and puts the best first. */
export function normalise(ranking: readonly RankedIntent[]): RankedIntent[] {
  const sum = ranking.reduce((total, { confidence }) => total + confidence, 0) || 1
  return ranking
    .map(({ intent, confidence }) => ({ intent, confidence: confidence / sum }))
    .sort((a, b) => b.confidence - a.confidence)
}
