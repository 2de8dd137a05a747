import type { Passage, PreparedChunk } from '../types.ts'
import { decodeMeanings } from './ranking/chunk-features.ts'
import type { RankingQuery } from './ranking/query.ts'
import { type AskedMeaning, semanticSimilarity } from './ranking/semantics.ts'
import type { Candidate } from './ranking/types.ts'

/** Chunks that are ranked as if they were published, without being stored: what would change if they were? */
export interface Trial {
  docId: string
  source: string
  chunks: readonly PreparedChunk[]
}

/** Ids of stored chunks are positive, and those of later chunks larger. */
const trialId = (index: number, { chunks }: Trial): number => index - chunks.length

/**
 * The chunks as an index would find them. Their place among the lexical candidates is not known without storing
 * them; first place is close, because a rank counts for little beside what of the query a chunk holds.
 */
export function trialCandidates(
  trial: Trial,
  query: RankingQuery,
  { vector, generation, meaning }: { vector: Float32Array | null; generation: number; meaning: AskedMeaning | null },
  bestLexicalScore: number,
): Candidate[] {
  const wanted = new Set(query.terms)
  return trial.chunks.map((chunk, index) => {
    const matches = chunk.searchText.split(' ').some((term) => wanted.has(term))
    const own = vector && chunk.embeddings.find((made) => made.generation === generation)
    const semantic = meaning && semanticSimilarity(meaning, decodeMeanings(chunk.features))
    return {
      chunkId: trialId(index, trial),
      docId: trial.docId,
      passages: trial.chunks.length,
      features: chunk.features,
      publishedAt: new Date(),
      lexicalScore: matches ? bestLexicalScore : null,
      lexicalRank: matches ? 1 : null,
      vectorScore: semantic ?? (vector && own ? cosine(vector, own.vector) : null),
      vectorRank: meaning || own ? 1 : null,
      semantic,
    }
  })
}

export function trialPassages(trial: Trial): Map<number, Passage> {
  const { docId, source, chunks } = trial
  return new Map(
    chunks.map(({ ordinal, title, headingPath, kind, question, content, page, metadata }, index) => {
      const chunkId = trialId(index, trial)
      const place = { ordinal, title, headingPath: [...headingPath], kind, question, content, page, metadata }
      return [chunkId, { chunkId, docId, version: 1, source, ...place }]
    }),
  )
}

/** Of vectors of length 1, as every embedder makes them. */
function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
}
