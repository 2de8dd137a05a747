/** Judges how well passages answer a query, by reading both together. */
export interface Reranker {
  /** Changes whenever scores stop being comparable with earlier ones. */
  readonly id: string
  /**
   * A score in 0..1 for each passage, in the order of the passages; null when there is none to be had (down, too slow, nonsense): the caller keeps its own ranking. Never throws but the reason of an aborted `signal`.
   */
  rerank(query: string, passages: readonly string[], signal?: AbortSignal): Promise<readonly number[] | null>
}
