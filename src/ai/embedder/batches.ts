import { estimateTokens, truncateToTokens } from '../model/tokens.ts'
import { badResponse, type EndpointError, isRefusal, type PostOptions } from '../post-json.ts'
import type { EmbeddingsClient } from './embeddings-client.ts'

/** Below this size a text that is still refused is refused for what it says, not for its length. */
const smallestTextTokens = 64

/** Groups of positions whose texts together stay within both limits; a text over the token limit is a group alone. */
export function planBatches(tokens: readonly number[], maxTexts: number, maxTokens: number): number[][] {
  const batches: number[][] = []
  let batch: number[] = []
  let batchTokens = 0
  for (const [position, size] of tokens.entries()) {
    if (batch.length >= maxTexts || (batch.length > 0 && batchTokens + size > maxTokens)) {
      batches.push(batch)
      batch = []
      batchTokens = 0
    }
    batch.push(position)
    batchTokens += size
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

/** Finds its way around an endpoint's limits on the number and length of texts, which no protocol tells. */
export function createBatchEmbedder(
  client: EmbeddingsClient,
  dimensions: number,
  maxBatchTexts: number,
  onRefused: (detail: string) => void,
) {
  let batchLimit = maxBatchTexts
  let hasWorked = false
  let shortened = 0

  /** A refused batch is halved: it may be too large, or one of its texts too long. */
  async function embedBatch(texts: readonly string[], settings: PostOptions): Promise<Float32Array[]> {
    try {
      return checked(await client.request(texts, settings))
    } catch (error) {
      if (!isRefusal(error) || error.status === 404) throw error
      if (texts.length === 1) return [await embedShorter(texts[0] ?? '', settings, error)]
      return await embedHalves(texts, settings)
    }
  }

  async function embedHalves(texts: readonly string[], settings: PostOptions): Promise<Float32Array[]> {
    const half = Math.ceil(texts.length / 2)
    const before = shortened
    const first = await embedBatch(texts.slice(0, half), settings)
    const second = await embedBatch(texts.slice(half), settings)
    // No text was at fault, so their number was: do not run into the same limit with every batch.
    if (shortened === before) batchLimit = Math.min(batchLimit, half)
    return [...first, ...second]
  }

  async function embedShorter(text: string, settings: PostOptions, refused: EndpointError): Promise<Float32Array> {
    shortened += 1
    const tokens = Math.floor(estimateTokens(text) / 2)
    if (tokens >= smallestTextTokens) return (await embedBatch([truncateToTokens(text, tokens)], settings))[0]!
    // Nothing has ever been embedded: the endpoint refuses everything, and vectors of zeros would hide that.
    if (!hasWorked) throw refused
    onRefused(refused.detail)
    return new Float32Array(dimensions)
  }

  function checked(vectors: Float32Array[]): Float32Array[] {
    const odd = vectors.find((vector) => vector.length !== dimensions)
    if (odd) throw badResponse(client.name, `vectors of ${odd.length} numbers instead of ${dimensions}`)
    hasWorked = true
    return vectors
  }

  return {
    embedBatch,
    /** Texts in one batch: what was set, or less once the endpoint has shown its limit. */
    batchLimit: () => batchLimit,
  }
}
