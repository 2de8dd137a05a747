import { asArray, asObject } from './prompt.ts'
import { piecesOf } from './tokens.ts'

/** `POST /v1/embeddings`: hashed words and character pairs, so that texts with the same words lie close. */
export function embeddingsOf(body: unknown, dimensions: number): object {
  const request = asObject(body)
  const inputs = typeof request.input === 'string' ? [request.input] : asArray(request.input).map(String)
  const data = inputs.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, dimensions) }))
  const tokens = inputs.reduce((sum, text) => sum + piecesOf(text).length, 0)
  return {
    object: 'list',
    model: String(request.model ?? 'scripted'),
    // Out of order on purpose: the protocol promises an index, not an order.
    data: data.reverse(),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

export function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const feature of featuresOf(text)) {
    const hash = hashOf(feature)
    vector[hash % dimensions]! += hash & 0x10000 ? 1 : -1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

function featuresOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.flatMap((word) => [word, ...Array.from(word.slice(1), (character, i) => `${word[i]}${character}`)])
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

/**
 * `POST /rerank` in the dialect of the request: `texts` is TEI's (an array comes back), `documents` Cohere's and
 * Jina's. The score is the cosine of the hashed vectors, moved into 0..1.
 */
export function rerankingOf(body: unknown): object {
  const request = asObject(body)
  const tei = Array.isArray(request.texts)
  const documents = asArray(tei ? request.texts : request.documents).map(String)
  const query = vectorOf(String(request.query), 256)
  const scored = documents.map((text, index) => ({ index, score: similarity(query, vectorOf(text, 256)) }))
  scored.sort((a, b) => b.score - a.score)
  if (tei) return scored
  const results = scored.map(({ index, score }) => ({ index, relevance_score: score }))
  return { id: 'scripted', model: request.model, results: results.slice(0, Number(request.top_n ?? results.length)) }
}

function similarity(a: readonly number[], b: readonly number[]): number {
  return (1 + a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)) / 2
}
