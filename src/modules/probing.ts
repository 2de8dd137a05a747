import { modelListOf } from '../ai/model/providers.ts'
import { type ProbeTarget, reach, withBearer } from '../ai/probe.ts'
import type { Config } from '../config.ts'
import { keptFresh } from '../kernel/shared-reading.ts'
import type { Clock } from '../platform/clock.ts'
import { modelConfigOf } from './model.ts'

/** The reports that ask are open to everybody: however often they are read, an endpoint is asked this seldom. */
const FRESH_MS = 10_000
/** Shorter than what a health check may take. */
const TIMEOUT_MS = 1_500

/** How the configured endpoints are asked whether they are there: with no completion, embedding or ranking, which cost. */
export function createProbes(config: Config, clock: Clock) {
  // Null: not configured.
  const probe = (isConfigured: boolean, target: () => ProbeTarget) =>
    isConfigured
      ? keptFresh(() => reach(target(), { timeoutMs: TIMEOUT_MS }), { freshMs: FRESH_MS, now: () => clock.now() })
      : null
  const { EMBEDDING_BASE_URL: embedding, EMBEDDING_API_KEY, RERANK_BASE_URL: rerank, RERANK_API_KEY } = config
  return {
    llm: probe(config.LLM_MODEL !== '', () => modelListOf(modelConfigOf(config))),
    embedding: probe(embedding !== '', () => withBearer(embedding, '/models', EMBEDDING_API_KEY)),
    // Rankers list nothing; who takes POST alone answers GET with 405, and a wrong key with 401.
    rerank: probe(rerank !== '', () => withBearer(rerank, '/rerank', RERANK_API_KEY)),
  }
}
