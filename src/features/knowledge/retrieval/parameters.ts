/** The retrieval side of the tuner's parameters; contract.md has their ranges. */
export interface RetrievalParameters {
  /** 0 to 1: share of the vector index in the fusion. */
  vectorWeight: number
  lexicalTopK: number
  vectorTopK: number
  /** How many hits are returned. */
  rerankTopK: number
  rrfK: number
  /** 0 to 1: hits below are dropped. */
  minScore: number
  /** 0 to 1: how much a match in title and headings counts. */
  titleWeight: number
  /** Days after which a document's age has cost half of what it can; 0: age does not matter. */
  recencyHalfLifeDays: number
}

export const DEFAULT_RETRIEVAL_PARAMETERS: RetrievalParameters = {
  vectorWeight: 0.4,
  lexicalTopK: 50,
  vectorTopK: 50,
  rerankTopK: 5,
  rrfK: 60,
  minScore: 0.01,
  titleWeight: 0.5,
  recencyHalfLifeDays: 0,
}
