import type { ChatModel, ModelCall } from '../ai/model/port.ts'
import type { ModelConfig } from '../ai/model/providers.ts'
import { createChatModel } from '../ai/model/stream.ts'
import type { TierCounter } from '../ai/model/tiers.ts'
import { limitTokens, type TokenBudget } from '../ai/model/token-limits.ts'
import type { Config } from '../config.ts'
import type { BreakerRegistry } from '../platform/breaker.ts'
import type { Ground } from './module.ts'

export interface ModelOptions {
  breakers: BreakerRegistry
  tiers: TierCounter
  onCall(call: ModelCall): void
  tokenBudget: TokenBudget
}

/** The configured model; null when LLM_MODEL is empty, and then replies are extractive. */
export function openModel(
  { config }: Pick<Ground, 'config'>,
  { breakers, tiers, onCall, tokenBudget }: ModelOptions,
): ChatModel | null {
  if (config.LLM_MODEL === '') return null
  const model = createChatModel({ config: modelConfigOf(config), breaker: breakers.get('llm'), tiers, onCall })
  return limitTokens(model, { maxTokensPerCall: config.MAX_TOKENS_PER_REPLY, budget: tokenBudget })
}

export function modelConfigOf(config: Config): ModelConfig {
  return {
    provider: config.LLM_PROVIDER,
    model: config.LLM_MODEL,
    ...(config.LLM_BASE_URL ? { baseUrl: config.LLM_BASE_URL } : {}),
    ...(config.LLM_API_KEY ? { apiKey: config.LLM_API_KEY } : {}),
    ...(config.LLM_MODEL_LIGHT ? { modelLight: config.LLM_MODEL_LIGHT } : {}),
    ...(config.LLM_MODEL_STRONG ? { modelStrong: config.LLM_MODEL_STRONG } : {}),
  }
}
