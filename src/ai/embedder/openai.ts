import pLimit from 'p-limit'
import { estimateTokens, truncateToTokens } from '../model/tokens.ts'
import { createBatchEmbedder, planBatches } from './batches.ts'
import { createEmbeddingsClient, type EmbeddingsClient, type OpenAiEmbedderOptions } from './embeddings-client.ts'
import { prefixFor } from './model-families.ts'
import type { Embedder, EmbeddingKind } from './port.ts'

/** Asks the endpoint for the length of its vectors. @throws EndpointError when it cannot be asked. */
export async function connectOpenAiEmbedder(options: OpenAiEmbedderOptions, signal?: AbortSignal): Promise<Embedder> {
  const client = createEmbeddingsClient(options)
  const [vector] = await client.request(['dimension'], { ...client.settings('query'), signal })
  return toEmbedder(client, options, vector?.length ?? 0)
}

/** For a length that is known already; makes no request. Vectors of another length are refused. */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions & { dimensions: number }): Embedder {
  return toEmbedder(createEmbeddingsClient(options), options, options.dimensions)
}

function toEmbedder(client: EmbeddingsClient, options: OpenAiEmbedderOptions, dimensions: number): Embedder {
  const { model, maxBatchTexts = 32, maxBatchTokens = 16_000, maxTextTokens = 6_000, concurrency = 4 } = options
  const limited = pLimit(concurrency)
  const { embedBatch, batchLimit } = createBatchEmbedder(
    client,
    dimensions,
    maxBatchTexts,
    options.onRefused ?? (() => {}),
  )

  async function embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted()
    const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions))
    // The protocol refuses empty texts, and has no use for blank ones.
    const positions = [...texts.keys()].filter((position) => texts[position]?.trim() !== '')
    const inputs = positions.map((position) => prepare(texts[position] ?? '', kind))
    const batches = planBatches(inputs.map(estimateTokens), batchLimit(), maxBatchTokens)
    // One batch that fails makes the others pointless.
    const failed = new AbortController()
    const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
    const settings = { ...client.settings(kind), signal: either }
    const work = batches.map((batch) => async () => {
      const found = await embedBatch(
        batch.map((index) => inputs[index] ?? ''),
        settings,
      )
      for (const [i, index] of batch.entries()) vectors[positions[index]!] = found[i]!
    })
    try {
      await Promise.all(work.map((task) => (kind === 'query' ? task() : limited(task))))
      return vectors
    } catch (error) {
      failed.abort()
      throw error
    }
  }

  function prepare(text: string, kind: EmbeddingKind): string {
    return prefixFor(model, kind) + truncateToTokens(text.toWellFormed(), maxTextTokens)
  }

  return { id: `openai:${model}:${dimensions}`, dimensions, embed }
}
