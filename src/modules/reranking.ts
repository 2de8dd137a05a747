import { createHttpReranker } from '../ai/reranker/http.ts'
import type { Reranker } from '../ai/reranker/port.ts'
import type { Config } from '../config.ts'
import type { Log } from '../kernel/log.ts'
import type { Breaker } from '../platform/breaker.ts'

/** The configured rerank endpoint; null when there is none, and then the built-in ranking has the last word. */
export function createReranker(options: {
  config: Pick<Config, 'RERANK_BASE_URL' | 'RERANK_API_KEY' | 'RERANK_MODEL' | 'RERANK_TIMEOUT_MS'>
  breaker: Breaker
  log: Log
}): Reranker | null {
  const { config, breaker, log } = options
  if (config.RERANK_BASE_URL === '') return null
  return createHttpReranker({
    baseUrl: config.RERANK_BASE_URL,
    apiKey: config.RERANK_API_KEY,
    model: config.RERANK_MODEL,
    timeoutMs: config.RERANK_TIMEOUT_MS,
    breaker,
    onFailure: (reason) => log.warn(reason, 'No scores of the rerank endpoint; the built-in ranking stands'),
  })
}
