import type { ChatModel, ModelCall } from './ai/model/port.ts'
import type { ModelConfig } from './ai/model/providers.ts'
import { createChatModel } from './ai/model/stream.ts'
import type { TierCounter } from './ai/model/tiers.ts'
import { limitTokens, type TokenBudget } from './ai/model/token-limits.ts'
import type { Config } from './config.ts'
import type { Breaker } from './platform/breaker.ts'

/** The configured model; null when LLM_MODEL is empty, and then replies are extractive. */
export function createModel(options: {
  config: Config
  breaker: Breaker
  tiers: TierCounter
  onCall?: (call: ModelCall) => void
  budget: TokenBudget
}): ChatModel | null {
  const { config, breaker, tiers, onCall, budget } = options
  if (config.LLM_MODEL === '') return null
  const model = createChatModel({
    config: modelConfigOf(config),
    breaker,
    tiers,
    ...(onCall ? { onCall } : {}),
  })
  return limitTokens(model, { maxTokensPerCall: config.MAX_TOKENS_PER_REPLY, budget })
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
