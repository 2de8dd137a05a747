import { estimateTokens } from '../model/tokens.ts'
import { badResponse, type Endpoint, type PostOptions, postJson } from '../post-json.ts'
import type { EmbeddingUsage, OpenAiEmbedderOptions } from './options.ts'
import type { EmbeddingKind } from './port.ts'

export type EmbeddingsClient = ReturnType<typeof createEmbeddingsClient>

/**
 * `POST /embeddings`, https://platform.openai.com/docs/api-reference/embeddings. Not by the AI SDK: its embedding model
 * drops the index of each vector and trusts the order, and knows neither our breaker nor our retries.
 */
export function createEmbeddingsClient(options: OpenAiEmbedderOptions) {
  const { model, breaker, apiKey, fetch, timeoutMs = 30_000, queryTimeoutMs = 5_000, maxRetries = 3 } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/embeddings`
  const name = 'The embedding endpoint'
  const endpoint: Endpoint = { name, breaker, ...(apiKey ? { apiKey } : {}), ...(fetch ? { fetch } : {}) }
  return {
    name,
    settings: (kind: EmbeddingKind): PostOptions =>
      kind === 'query' ? { timeoutMs: queryTimeoutMs, maxRetries: Math.min(1, maxRetries) } : { timeoutMs, maxRetries },
    /** One request. Vectors of length 1, in the order of the texts. */
    request: async (texts: readonly string[], settings: PostOptions): Promise<Float32Array[]> => {
      const answer = await postJson(endpoint, url, { model, input: texts, encoding_format: 'float' }, settings)
      const vectors = readVectors(answer, texts.length)
      if (!vectors) throw badResponse(name, 'no vector for each text')
      options.onUsage?.(usageOf(answer, texts, model))
      return vectors
    },
  }
}

/** The protocol promises an index with each vector, not an order. Null when the answer is not what was asked for. */
function readVectors(answer: unknown, count: number): Float32Array[] | null {
  const data = fieldOf(answer, 'data')
  if (!Array.isArray(data) || data.length !== count) return null
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined)
  for (const [position, item] of data.entries()) {
    const index = fieldOf(item, 'index') ?? position
    const vector = toUnitVector(fieldOf(item, 'embedding'))
    if (!vector || typeof index !== 'number' || !(index in vectors) || vectors[index]) return null
    vectors[index] = vector
  }
  return vectors.every((vector) => vector !== undefined) ? vectors : null
}

function toUnitVector(values: unknown): Float32Array | null {
  if (!Array.isArray(values) || values.length === 0 || !values.every(Number.isFinite)) return null
  const length = Math.sqrt(values.reduce((sum: number, value: number) => sum + value * value, 0)) || 1
  return Float32Array.from(values, (value: number) => value / length)
}

function usageOf(answer: unknown, texts: readonly string[], model: string): EmbeddingUsage {
  const usage = fieldOf(answer, 'usage')
  const reported = fieldOf(usage, 'prompt_tokens') ?? fieldOf(usage, 'total_tokens')
  if (typeof reported === 'number') return { model, inputTokens: reported, estimated: false }
  return { model, inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0), estimated: true }
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
}
