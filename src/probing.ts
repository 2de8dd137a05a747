import { modelListOf } from './ai/model/providers.ts'
import { type ProbeTarget, type Reachability, reach, withBearer } from './ai/probe.ts'
import type { Config } from './config.ts'
import { keptFresh } from './kernel/kept-fresh.ts'
import { modelConfigOf } from './model.ts'
import type { Clock } from './platform/clock.ts'

/** Null: not configured. */
export interface Probes {
  llm: Probe | null
  embedding: Probe | null
  rerank: Probe | null
}
export type Probe = () => Promise<Reachability>

/** The reports that ask are open to everybody: however often they are read, an endpoint is asked this seldom. */
const FRESH_MS = 10_000
/** Shorter than what a health check may take. */
const TIMEOUT_MS = 1_500

/** How the configured endpoints are asked whether they are there: with no completion, embedding or ranking, which cost. */
export function createProbes(config: Config, clock: Clock): Probes {
  const probe = (isConfigured: boolean, target: () => ProbeTarget): Probe | null =>
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
