export interface MemoizeOptions<Result> {
  /** Texts that are remembered. */
  maxEntries: number
  /** Longer texts do not come twice. In UTF-16 units. */
  maxLength: number
  /** Whether a text and its result may be remembered; default: all. */
  keep?: (text: string, result: Result) => boolean
}

/**
 * A pure function of a text that remembers what it made of texts that come again and again; when there is no room, what
 * it has known for longest goes, which needs no book-keeping with every use. Callers share the results and must not change
 * them.
 */
export function memoize<Result extends object | string | boolean>(
  compute: (text: string) => Result,
  { maxEntries, maxLength, keep = () => true }: MemoizeOptions<Result>,
): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    const result = compute(text)
    if (text.length > maxLength || !keep(text, result)) return result
    if (known.size >= maxEntries) known.delete(known.keys().next().value ?? '')
    known.set(text, result)
    return result
  }
}
