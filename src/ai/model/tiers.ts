import type { ModelTier, RouterTier } from './port.ts'

/** All that is known about a step before a model is asked. */
export interface Step {
  kind: 'classify' | 'rewrite' | 'summarise' | 'chitchat' | 'answer' | 'act' | 'compose'
  /** Size of the prompt. */
  inputTokens?: number
  /** Questions that the reply has to bring together. */
  subTasks?: number
  /** Score of the best passage, 0 to 1. */
  confidence?: number
  /** Turns without a confident answer so far. */
  failedAttempts?: number
  /** Money, law, health, anger: a wrong word is dear. */
  sensitive?: boolean
}

const tiers: readonly ModelTier[] = ['light', 'standard', 'strong']
const smallKinds: ReadonlySet<Step['kind']> = new Set(['classify', 'rewrite', 'summarise', 'chitchat'])

const longPromptTokens = 6_000
const shortPromptTokens = 1_500
const sureScore = 0.8

/**
 * The cheapest tier that is up to the step. A step never gets a lighter tier for being harder, and the small kinds
 * (short, formal outputs) never need the strong one.
 */
export function chooseTier(step: Step): ModelTier {
  const small = smallKinds.has(step.kind)
  const difficulty = (small ? 0 : 1) + countTrue(hardships(step)) - (isEasyAnswer(step) ? 1 : 0)
  return tiers[Math.min(difficulty, small ? 1 : 2)] ?? 'strong'
}

function hardships(step: Step): boolean[] {
  const { inputTokens = 0, subTasks = 1, failedAttempts = 0, sensitive = false } = step
  return [inputTokens > longPromptTokens, subTasks >= 3, failedAttempts > 0, sensitive]
}

function isEasyAnswer({ kind, confidence = 0, inputTokens = 0, subTasks = 1 }: Step): boolean {
  return kind === 'answer' && confidence >= sureScore && inputTokens <= shortPromptTokens && subTasks <= 1
}

function countTrue(values: readonly boolean[]): number {
  return values.filter(Boolean).length
}

/** Counts for `model_router_stats`. The chat model counts its own calls; whoever answers without it counts `extractive`. */
export interface TierCounter {
  count(tier: RouterTier): void
}
