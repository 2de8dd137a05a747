import type { Database } from '../../../../platform/postgres/index.ts'
import { measureSimilarity } from './queries.ts'

/** Mean and standard deviation of the cosine of two passages that have nothing to do with each other. */
export interface UnrelatedSimilarity {
  mean: number
  deviation: number
}

/** Fewer passages make too few pairs. */
const MIN_CHUNKS = 12
/** Between what common models give: 0.1 to 0.8. Replaced by what is measured as soon as there is enough to measure. */
const GUESS: UnrelatedSimilarity = { mean: 0.4, deviation: 0.12 }

/**
 * Learns from the stored passages how alike a model finds what is unrelated: one model calls 0.7 a coincidence, another a
 * perfect match. Measured again whenever the knowledge base has doubled or halved.
 */
export function createSimilarityGauge(db: Database) {
  let measured = { ...GUESS, generation: -1, chunkCount: 0 }

  return {
    current: (generation: number): UnrelatedSimilarity => (measured.generation === generation ? measured : GUESS),
    async update(generation: number, chunkCount: number): Promise<void> {
      const isKnown = measured.generation === generation
      const { chunkCount: before } = measured
      if (chunkCount < MIN_CHUNKS || (isKnown && chunkCount < 2 * before && 2 * chunkCount > before)) return
      const similarity = await measureSimilarity(db.executor, generation)
      if (similarity) measured = { ...similarity, generation, chunkCount }
    },
  }
}
