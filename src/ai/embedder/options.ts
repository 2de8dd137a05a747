import type { Breaker } from '../../platform/breaker.ts'

export interface EmbeddingUsage {
  model: string
  inputTokens: number
  /** True when the endpoint reported none. */
  estimated: boolean
}

export interface OpenAiEmbedderOptions {
  /** With the version path, such as `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey?: string
  model: string
  /** The breaker `embedding`. */
  breaker: Breaker
  /** Texts in one request; default 32. Learned to be smaller when the endpoint refuses so many. */
  maxBatchTexts?: number
  /** Estimated tokens in one request; default 16,000. */
  maxBatchTokens?: number
  /** Longer texts are embedded by their beginning; default 6,000 estimated tokens. */
  maxTextTokens?: number
  /** Requests for documents at once; default 4. Queries do not wait for them. */
  concurrency?: number
  /** One request for documents, default 30,000 ms. */
  timeoutMs?: number
  /** One request for a query, default 5,000 ms: a customer waits. */
  queryTimeoutMs?: number
  /** Default 3, for queries at most 1. */
  maxRetries?: number
  onUsage?: (usage: EmbeddingUsage) => void
  /** Told of a single text that the endpoint refuses; it gets the vector of a text without content. */
  onRefused?: (detail: string) => void
  fetch?: typeof globalThis.fetch
}
