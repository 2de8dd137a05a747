import { LRUCache } from 'lru-cache'
import type { SearchHit } from '../knowledge/index.ts'
import type { Assistant } from './judge.ts'

/** Ten passages each, of a kilobyte or two. */
const MAX_SEARCHES = 2_000

/**
 * An assistant that searches only once for what has the same query and the same `keyOf` its parameters: sets of
 * parameters that differ in thresholds alone find the same. Forget it when the knowledge base changes.
 */
export function rememberSearches<P>(assistant: Assistant<P>, keyOf: (params: P) => string): Assistant<P> {
  const found = new LRUCache<string, SearchHit[]>({ max: MAX_SEARCHES })
  return {
    ...assistant,
    async search(query, topK, params) {
      const key = `${topK} ${keyOf(params)} ${query}`
      const known = found.get(key)
      if (known) return known
      const hits = await assistant.search(query, topK, params)
      found.set(key, hits)
      return hits
    },
  }
}
