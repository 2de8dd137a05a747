import type { Breaker } from '../../platform/breaker.ts'
import { fieldOf, inOrderOfInputs } from '../answers.ts'
import { estimateTokens } from '../model/tokens.ts'
import { badResponse, type Endpoint, type PostOptions, postJson } from '../post-json.ts'
import type { EmbeddingKind } from './port.ts'
import { unitVector } from './unit-vector.ts'

export interface EmbeddingUsage {
  model: string
  inputTokens: number
  /** True when the endpoint reported none. */
  estimated: boolean
}

/** One request for a query: a customer waits. */
const QUERY_TIMEOUT_MS = 5_000

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
  /** Default 3, for queries at most 1. */
  maxRetries?: number
  onUsage?: (usage: EmbeddingUsage) => void
  /** Told of a single text that the endpoint refuses; it gets the vector of a text without content. */
  onRefused?: (detail: string) => void
  fetch?: typeof globalThis.fetch
}

export type EmbeddingsClient = ReturnType<typeof createEmbeddingsClient>

/**
 * `POST /embeddings`, https://platform.openai.com/docs/api-reference/embeddings. Not by the AI SDK: its embedding model
 * drops the index of each vector and trusts the order, and knows neither our breaker nor our retries.
 */
export function createEmbeddingsClient(options: OpenAiEmbedderOptions) {
  const { model, breaker, apiKey, fetch, timeoutMs = 30_000, maxRetries = 3 } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/embeddings`
  const name = 'The embedding endpoint'
  const endpoint: Endpoint = { name, breaker, ...(apiKey ? { apiKey } : {}), ...(fetch ? { fetch } : {}) }
  return {
    name,
    settings: (kind: EmbeddingKind): PostOptions =>
      kind === 'query'
        ? { timeoutMs: QUERY_TIMEOUT_MS, maxRetries: Math.min(1, maxRetries) }
        : { timeoutMs, maxRetries },
    /** One request. Vectors of length 1, in the order of the texts. */
    request: async (texts: readonly string[], settings: PostOptions): Promise<Float32Array[]> => {
      const answer = await postJson(endpoint, url, { model, input: texts, encoding_format: 'float' }, settings)
      const vectors = inOrderOfInputs(fieldOf(answer, 'data'), texts.length, (item, position) => {
        const embedding = fieldOf(item, 'embedding')
        return {
          index: fieldOf(item, 'index') ?? position,
          value: isVector(embedding) ? unitVector(embedding) : undefined,
        }
      })
      if (!vectors) throw badResponse(name, 'no vector for each text')
      options.onUsage?.(usageOf(answer, texts, model))
      return vectors
    },
  }
}

function isVector(values: unknown): values is number[] {
  return Array.isArray(values) && values.length > 0 && values.every(Number.isFinite)
}

function usageOf(answer: unknown, texts: readonly string[], model: string): EmbeddingUsage {
  const usage = fieldOf(answer, 'usage')
  const reported = fieldOf(usage, 'prompt_tokens') ?? fieldOf(usage, 'total_tokens')
  if (typeof reported === 'number') return { model, inputTokens: reported, estimated: false }
  return { model, inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0), estimated: true }
}
