import { fieldOf, inOrderOfInputs } from '../answers.ts'

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
  return inOrderOfInputs(items, count, (item) => {
    const score = fieldOf(item, 'relevance_score') ?? fieldOf(item, 'score')
    const isScore = typeof score === 'number' && Number.isFinite(score)
    return { index: fieldOf(item, 'index'), value: isScore ? score : undefined }
  })
}

/** The logistic function, for models that answer with logits. */
export function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}
