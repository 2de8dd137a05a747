import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type ProbeTarget, withBearer } from '../probe.ts'
import type { ModelTier } from './port.ts'

/** `openai` stands for every endpoint that speaks its chat protocol: vLLM, Ollama, DeepSeek, Qwen and many more. */
export type ModelProvider = 'openai' | 'anthropic'

export interface ModelConfig {
  provider: ModelProvider
  /** With the version path, such as `http://localhost:11434/v1`; the vendor's own when absent. */
  baseUrl?: string
  apiKey?: string
  model: string
  /** Default `model`, as `modelStrong`. */
  modelLight?: string
  modelStrong?: string
}

export type LanguageModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>

const vendorUrls: Record<ModelProvider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
}

/** The model name of each tier. */
export function modelNames(config: ModelConfig): Record<ModelTier, string> {
  const { model, modelLight = model, modelStrong = model } = config
  return { light: modelLight, standard: model, strong: modelStrong }
}

function baseUrlOf({ baseUrl, provider }: ModelConfig): string {
  return (baseUrl ?? vendorUrls[provider]).replace(/\/+$/, '')
}

/** Where the endpoint lists its models: asking costs nothing, and takes the key that a call takes. */
export function modelListOf(config: ModelConfig): ProbeTarget {
  const target = withBearer(baseUrlOf(config), '/models', config.apiKey)
  if (config.provider !== 'anthropic') return target
  return { ...target, headers: { 'x-api-key': config.apiKey ?? 'none', 'anthropic-version': '2023-06-01' } }
}

/**
 * Makes language models by name. Uses the global `fetch` unless given another. The provider's library is loaded for it:
 * few megabytes, which who has no model does without.
 */
export async function loadProvider(
  config: ModelConfig,
  fetch: typeof globalThis.fetch,
): Promise<(name: string) => LanguageModel> {
  const baseURL = baseUrlOf(config)
  const shared = { baseURL, fetch: withoutRedirects(fetch), ...(config.apiKey ? { apiKey: config.apiKey } : {}) }
  if (config.provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    // The library insists on a key; local endpoints have none.
    const anthropic = createAnthropic({ apiKey: 'none', ...shared })
    return (name) => anthropic.languageModel(name)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const isVendor = new URL(baseURL).hostname === 'api.openai.com'
  const openai = createOpenAICompatible({
    name: 'openai',
    includeUsage: true,
    ...shared,
    ...(isVendor ? { transformRequestBody: forOpenAi } : {}),
  })
  return (name) => openai.chatModel(name)
}

/** A redirect would carry the key and the conversation to a host that nobody configured. */
function withoutRedirects(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (url, init) => fetch(url, { ...init, redirect: 'error' })
}

/** OpenAI's reasoning models refuse `max_tokens` and any temperature, which everyone else's endpoints expect. */
function forOpenAi(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, temperature, ...rest } = body
  const reasons = /^(o\d|gpt-5)/.test(String(body.model))
  return { ...rest, max_completion_tokens: max_tokens, ...(reasons ? {} : { temperature }) }
}
