import { LRUCache } from 'lru-cache'

export interface RecallOptions<Result> {
  /** Texts that are remembered. */
  maxEntries: number
  /** Longer texts do not come twice. In UTF-16 units. */
  maxLength: number
  /** Whether a text and its result may be remembered; default: all. */
  keep?: (text: string, result: Result) => boolean
}

/**
 * A pure function of a text that remembers what it made of texts that come again and again. Callers share the results
 * and must not change them.
 */
export function recalling<Result extends object | string | boolean>(
  compute: (text: string) => Result,
  { maxEntries, maxLength, keep = () => true }: RecallOptions<Result>,
): (text: string) => Result {
  const known = new LRUCache<string, { result: Result }>({ max: maxEntries })
  return (text) => {
    const remembered = known.get(text)
    if (remembered) return remembered.result
    const result = compute(text)
    if (text.length <= maxLength && keep(text, result)) known.set(text, { result })
    return result
  }
}
