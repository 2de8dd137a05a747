import { batchesOf } from '../../kernel/batches.ts'
import type { Breaker } from '../../platform/breaker.ts'
import { truncateToTokens } from '../model/tokens.ts'
import { badResponse, type Endpoint, EndpointError, isRefusal, postJson } from '../post-json.ts'
import { logistic, type RerankDialect, readScores, rerankBody } from './dialects.ts'
import type { Reranker } from './port.ts'

export interface HttpRerankerOptions {
  /** Such as `https://api.cohere.com/v2`, `https://api.jina.ai/v1` or `http://localhost:8080`; `/rerank` is appended unless there. */
  baseUrl: string
  apiKey?: string
  /** Empty for TEI, which serves one model. */
  model?: string
  /** The breaker `rerank`. */
  breaker: Breaker
  /** For all requests of one reranking together; default 2,000 ms: a customer waits. */
  timeoutMs?: number
  /** Of one passage, estimated; default 1,000. */
  maxPassageTokens?: number
  /** Of one request; further passages are sent in further requests, side by side. Default 64. */
  maxBatchPassages?: number
  /** Told why there are no scores. */
  onFailure?: (reason: { code: string; detail: string }) => void
  fetch?: typeof globalThis.fetch
}

const name = 'The rerank endpoint'

/** `deadline`: on the clock of `performance.now()`. */
interface Limits {
  deadline: number
  signal: AbortSignal | undefined
}

/** A reranker behind an endpoint that speaks Cohere's, Jina's or TEI's protocol; which one is found out by the first call. */
export function createHttpReranker(options: HttpRerankerOptions): Reranker {
  const {
    model = '',
    breaker,
    apiKey,
    fetch,
    maxPassageTokens = 1_000,
    maxBatchPassages = 64,
    timeoutMs = 2_000,
  } = options
  const base = options.baseUrl.replace(/\/+$/, '')
  const url = base.endsWith('/rerank') ? base : `${base}/rerank`
  const endpoint: Endpoint = { name, breaker, ...(apiKey ? { apiKey } : {}), ...(fetch ? { fetch } : {}) }
  let dialect: RerankDialect = model === '' ? 'tei' : 'cohere'
  let isDialectKnown = false
  // Once a model has shown itself to answer with logits, all its answers are: also those that happen to lie in 0..1.
  let answersLogits = false

  async function ask(spoken: RerankDialect, query: string, passages: readonly string[], limits: Limits) {
    const leftMs = limits.deadline - performance.now()
    const settings = { timeoutMs: Math.max(1, Math.round(leftMs)), maxRetries: 0, signal: limits.signal }
    const answer = await postJson(endpoint, url, rerankBody(spoken, model, query, passages), settings)
    const scores = readScores(answer, passages.length)
    if (!scores) throw badResponse(name, 'no score for each passage')
    dialect = spoken
    isDialectKnown = true
    return scores
  }

  async function scoresOf(query: string, passages: readonly string[], limits: Limits): Promise<number[]> {
    try {
      return await ask(dialect, query, passages, limits)
    } catch (error) {
      if (isDialectKnown || !isRefusal(error)) throw error
      return await ask(dialect === 'tei' ? 'cohere' : 'tei', query, passages, limits)
    }
  }

  async function rerank(query: string, passages: readonly string[], signal?: AbortSignal) {
    signal?.throwIfAborted()
    if (passages.length === 0) return []
    const limits = { deadline: performance.now() + timeoutMs, signal }
    const texts = passages.map((passage) => truncateToTokens(passage.toWellFormed(), maxPassageTokens))
    try {
      const batches = batchesOf(texts, maxBatchPassages)
      const scores = (await Promise.all(batches.map((batch) => scoresOf(query, batch, limits)))).flat()
      answersLogits ||= scores.some((score) => score < 0 || score > 1)
      return answersLogits ? scores.map(logistic) : scores
    } catch (error) {
      signal?.throwIfAborted()
      options.onFailure?.(reasonOf(error))
      return null
    }
  }

  return { id: `rerank:${model || base}`, rerank }
}

function reasonOf(error: unknown): { code: string; detail: string } {
  if (error instanceof EndpointError) return { code: error.code, detail: error.detail }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return { code, detail: '' }
}
