import type { SparseVectors } from './vectors.ts'

/** An undirected graph; `edges[i]` maps the other end to the weight, 0 to 1. */
export type Graph = readonly ReadonlyMap<number, number>[]

export interface NeighbourOptions {
  /** Neighbours kept per text. */
  k: number
  /** Cosine below which two texts are not connected. */
  minSimilarity: number
  /** Of longer posting lists only this many are compared, spread evenly: keeps the work linear in the texts. */
  maxPostings: number
}

/** Connects every text with its most similar ones, found through the terms that they share. */
export function connectNeighbours(vectors: SparseVectors, options: NeighbourOptions): Graph {
  const postings = invert(vectors)
  const edges: Map<number, number>[] = vectors.terms.map(() => new Map())
  const scores = new Map<number, number>()
  vectors.terms.forEach((terms, text) => {
    scores.clear()
    terms.forEach((term, at) => {
      const weight = vectors.weights[text]?.[at] as number
      const list = postings[term] as Postings
      const step = Math.max(1, Math.ceil(list.texts.length / options.maxPostings))
      for (let i = text % step; i < list.texts.length; i += step) {
        const other = list.texts[i] as number
        scores.set(other, (scores.get(other) ?? 0) + weight * (list.weights[i] as number))
      }
    })
    scores.delete(text)
    for (const [other, score] of nearest(scores, options)) {
      edges[text]?.set(other, score)
      edges[other]?.set(text, score)
    }
  })
  return edges
}

interface Postings {
  texts: number[]
  weights: number[]
}

function invert({ terms, weights, dimensions }: SparseVectors): Postings[] {
  const postings: Postings[] = Array.from({ length: dimensions }, () => ({ texts: [], weights: [] }))
  terms.forEach((list, text) => {
    list.forEach((term, at) => {
      postings[term]?.texts.push(text)
      postings[term]?.weights.push(weights[text]?.[at] as number)
    })
  })
  return postings
}

function nearest(scores: ReadonlyMap<number, number>, { k, minSimilarity }: NeighbourOptions): [number, number][] {
  const candidates = [...scores].filter(([, score]) => score >= minSimilarity)
  return candidates.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, k)
}
