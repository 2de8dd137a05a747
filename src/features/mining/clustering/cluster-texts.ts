import type { Terms } from '../reading/vocabulary.ts'
import { findCommunities } from './communities.ts'
import { connect } from './graph.ts'
import type { Meanings } from './meanings.ts'
import { mergeAlike } from './merging.ts'
import { nearestMeanings } from './nearest-meanings.ts'
import { findNeighbours, type NeighbourOptions } from './neighbours.ts'
import { reassign } from './reassigning.ts'
import { discernment } from './term-factors.ts'
import { weigh } from './vectors.ts'

export interface ClusteringOptions extends NeighbourOptions {
  /** How many texts a community has at most, about: a fixed size, so that rare problems do not drown in a large collection. */
  communitySize: number
  minResolution: number
  /** The weight of what texts mean beside the words that they use, 0 to 1; 0: words alone. */
  meaningShare: number
  /** Likeness of two middles from which on they are one problem. */
  mergeSimilarity: number
  /** How often the weights of terms are learned from the clusters and the clusters found anew. */
  learningRounds: number
  reassignRounds: number
}

/** Chosen once for all collections; how much each one matters is in docs/decisions. */
export const DEFAULT_CLUSTERING: ClusteringOptions = {
  k: 6,
  minSimilarity: 0.08,
  maxPostings: 1_000,
  budget: 8_000,
  maxCompared: 60,
  communitySize: 200,
  minResolution: 10,
  meaningShare: 0.4,
  mergeSimilarity: 0.44,
  learningRounds: 1,
  reassignRounds: 2,
}

const CENTROID_TERMS = 50
const MEANING_SEARCH = { k: 15, trees: 6, leaf: 64 }
const STEPS = 3

/**
 * Finds the problems in texts, however many there are: small dense communities of the neighbour graph, joined where they
 * speak of the same. Once more with what the first pass says about which words matter.
 *
 * @param texts distinct texts as terms; their order decides ties.
 * @param meanings of the same texts.
 * @returns for each text the number of its cluster, dense from 0.
 */
export function clusterTexts(
  texts: readonly Uint32Array[],
  terms: Pick<Terms, 'isPair' | 'size'>,
  meanings: Meanings,
  { onProgress = () => {}, ...changes }: Partial<ClusteringOptions> & { onProgress?: (share: number) => void } = {},
): Uint32Array {
  const options = { ...DEFAULT_CLUSTERING, ...changes }
  const dimensions = terms.size()
  const rounds = options.learningRounds + 1
  const share = options.meaningShare
  const alike = share > 0 ? nearestMeanings(meanings, MEANING_SEARCH) : undefined
  let factors: Float32Array | undefined
  for (let round = 0; ; round++) {
    const step = (done: number): void => onProgress((round + done / STEPS) / rounds)
    const matter = { words: weigh(texts, dimensions, { factors }), meanings, share }
    const neighbours = findNeighbours(matter, options, alike)
    step(1)
    const resolution = Math.max(options.minResolution, texts.length / options.communitySize)
    const communities = findCommunities(connect(neighbours), resolution)
    step(2)
    // Pairs tell communities apart; for being the same the words alone count.
    const words = weigh(texts, dimensions, { factors, keep: (term) => !terms.isPair(term) })
    const groups = mergeAlike({ words, meanings, share }, communities, {
      minSimilarity: options.mergeSimilarity,
      maxTerms: CENTROID_TERMS,
    })
    step(STEPS)
    if (round === options.learningRounds) return reassign(matter, neighbours, groups, options.reassignRounds)
    factors = discernment(texts, groups, dimensions)
  }
}
