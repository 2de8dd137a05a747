import { likeness, type Matter } from './likeness.ts'
import { type SparseRows, transpose } from './sparse-rows.ts'
import type { SparseVectors } from './vectors.ts'

/** For each text its most similar ones, nearest first; text `i` has `counts[i]` of them from `i * k` on. */
export interface Neighbours {
  readonly k: number
  readonly counts: Uint8Array
  readonly texts: Uint32Array
  /** 0 to 1. */
  readonly similarities: Float32Array
}

export interface NeighbourOptions {
  /** Neighbours of each text, at most 255. */
  k: number
  /** Likeness below which two texts are no neighbours. */
  minSimilarity: number
  /** Of longer posting lists this many are looked at, spread evenly. */
  maxPostings: number
  /** Postings looked at for one text, the rarest terms first: keeps the work linear in the number of texts. */
  budget: number
  /** How many candidates that share terms are compared. */
  maxCompared: number
}

const BINS = 512

/** Finds the neighbours of every text through the terms that they share. @param alike those nearest in meaning, who are compared too */
export function findNeighbours(matter: Matter, options: NeighbourOptions, alike?: Neighbours): Neighbours {
  const count = matter.words.offsets.length - 1
  const { k } = options
  const neighbours = {
    k,
    counts: new Uint8Array(count),
    texts: new Uint32Array(count * k),
    similarities: new Float32Array(count * k),
  }
  const propose = createProposer(matter.words, options)
  for (let text = 0; text < count; text++) {
    const nearest = withAlike(propose(text), alike, text)
      .map((other) => ({ other, similarity: likeness(matter, text, matter, other) }))
      .filter(({ similarity }) => similarity >= options.minSimilarity)
      .sort((a, b) => b.similarity - a.similarity || a.other - b.other)
      .slice(0, k)
    neighbours.counts[text] = nearest.length
    nearest.forEach(({ other, similarity }, rank) => {
      neighbours.texts[text * k + rank] = other
      neighbours.similarities[text * k + rank] = similarity
    })
  }
  return neighbours
}

function withAlike(proposed: number[], alike: Neighbours | undefined, text: number): number[] {
  if (!alike || alike.counts[text] === 0) return proposed
  const { k, counts, texts } = alike
  return [...new Set([...proposed, ...texts.subarray(text * k, text * k + counts[text]!)])]
}

/** Texts that share much with a text, found by its rarest terms. */
function createProposer(vectors: SparseVectors, options: NeighbourOptions): (text: number) => number[] {
  const postings = transpose(vectors, vectors.dimensions)
  const scores = new Float32Array(vectors.offsets.length - 1)

  /** Adds what one term says about other texts; returns how many were looked at. */
  const addUp = (text: number, { term, weight }: { term: number; weight: number }, touched: number[]): number => {
    const [start, end] = [postings.offsets[term] as number, postings.offsets[term + 1] as number]
    const step = Math.ceil((end - start) / options.maxPostings)
    for (let at = start + (text % step); at < end; at += step) {
      const other = postings.columns[at] as number
      if (scores[other] === 0) touched.push(other)
      scores[other]! += weight * (postings.weights[at] as number)
    }
    return Math.ceil((end - start) / step)
  }

  return (text) => {
    const touched: number[] = []
    let budget = options.budget
    for (const each of rarestFirst(vectors, postings, text)) {
      budget -= addUp(text, each, touched)
      if (budget <= 0) break
    }
    const best = touched.length > options.maxCompared ? highest(touched, scores, options.maxCompared) : touched
    const proposed = best.filter((other) => other !== text)
    for (const other of touched) scores[other] = 0
    return proposed
  }
}

function rarestFirst({ offsets, columns, weights }: SparseVectors, postings: SparseRows, text: number) {
  const row: { term: number; weight: number; frequency: number }[] = []
  for (let at = offsets[text] as number; at < (offsets[text + 1] as number); at++) {
    const term = columns[at] as number
    const frequency = (postings.offsets[term + 1] as number) - (postings.offsets[term] as number)
    row.push({ term, weight: weights[at] as number, frequency })
  }
  return row.sort((a, b) => a.frequency - b.frequency || a.term - b.term)
}

/** The `count` highest: counted into bins first, because sorting thousands for each text took most of the time. */
function highest(texts: readonly number[], scores: Float32Array, count: number): number[] {
  const binOf = (text: number): number => Math.min(BINS - 1, Math.floor((scores[text] as number) * BINS))
  const bins = new Uint32Array(BINS)
  for (const text of texts) bins[binOf(text)]! += 1
  let lowest = BINS
  for (let kept = 0; kept < count; ) kept += bins[--lowest] as number
  return texts
    .filter((text) => binOf(text) >= lowest)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, count)
}
