/** The two ways in which rerank endpoints are spoken to; vLLM, Xinference, LocalAI and llama.cpp follow the first. */
export type RerankDialect = 'cohere' | 'tei'

/**
 * Cohere (https://docs.cohere.com/reference/rerank) and Jina (https://api.jina.ai/redoc): `documents`, scores under
 * `results`. Text Embeddings Inference (https://huggingface.github.io/text-embeddings-inference): `texts`, a bare array.
 */
export function rerankBody(dialect: RerankDialect, model: string, query: string, passages: readonly string[]): object {
  if (dialect === 'tei') return { query, texts: passages, raw_scores: false, truncate: true }
  return { model, query, documents: passages, top_n: passages.length }
}

/** The scores in the order of the passages; null when not every passage has exactly one. */
export function readScores(answer: unknown, count: number): number[] | null {
  const items = Array.isArray(answer) ? answer : (fieldOf(answer, 'results') ?? fieldOf(answer, 'data'))
  if (!Array.isArray(items) || items.length !== count) return null
  const scores: (number | undefined)[] = new Array(count).fill(undefined)
  for (const item of items) {
    const index = fieldOf(item, 'index')
    const score = fieldOf(item, 'relevance_score') ?? fieldOf(item, 'score')
    if (typeof index !== 'number' || !(index in scores) || scores[index] !== undefined) return null
    if (typeof score !== 'number' || !Number.isFinite(score)) return null
    scores[index] = score
  }
  return scores as number[]
}

/** The logistic function, for models that answer with logits. */
export function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
}
