import { modelError } from './failure.ts'
import type { ChatModel, ChatRequest, ModelCall, ModelEvent } from './port.ts'
import { estimateUsage } from './prompt.ts'

/** The tokens that all replicas together may use within 24 hours. */
export interface TokenBudget {
  isSpent(): boolean
}

export interface TokenLimits {
  /** Input and output of one call together, as estimated. */
  maxTokensPerCall: number
  budget: TokenBudget
}

const DEFAULT_OUTPUT_TOKENS = 2_048

/**
 * A model that is not asked beyond what the operator allows: such a call ends with `over_budget` without a request, and
 * its caller does without a model, as when there is none. Output is cut to what the call has left.
 */
export function limitTokens(model: ChatModel, { maxTokensPerCall, budget }: TokenLimits): ChatModel {
  return {
    ...model,
    stream(request, signal) {
      const left = maxTokensPerCall - estimateUsage(request, '').inputTokens
      if (budget.isSpent() || left <= 0) return refusal()
      return model.stream(withOutputOf(request, left), signal)
    },
  }
}

function withOutputOf(request: ChatRequest, maxTokens: number): ChatRequest {
  return { ...request, maxOutputTokens: Math.min(request.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS, maxTokens) }
}

async function* refusal(): AsyncGenerator<ModelEvent, void> {
  yield { type: 'error', error: modelError('over_budget') }
}

export interface TokenBudgetOptions {
  /** Input and output together; 0: no budget. */
  tokensPerDay: number
  /** Tokens that all replicas used within the last 24 hours, as far as it is written down. */
  readUsed: () => Promise<number>
}

/**
 * Knows what the others used as of the last `refresh`, and what this process used since. Calls under way may go beyond
 * the budget by what they use themselves, and other replicas by what they use between two refreshes.
 */
export function createTokenBudget({ tokensPerDay, readUsed }: TokenBudgetOptions) {
  let used = 0
  /** Counted while a reading is under way, which may or may not have seen it. */
  let meanwhile = 0
  return {
    isSpent: (): boolean => tokensPerDay > 0 && used >= tokensPerDay,
    add({ usage }: ModelCall): void {
      used += usage.inputTokens + usage.outputTokens
      meanwhile += usage.inputTokens + usage.outputTokens
    },
    async refresh(): Promise<void> {
      if (tokensPerDay === 0) return
      meanwhile = 0
      used = (await readUsed()) + meanwhile
    },
  }
}
