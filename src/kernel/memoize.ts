export interface MemoizeOptions<Result> {
  /** Texts that are remembered. */
  maxEntries: number
  /** Longer texts do not come twice. In UTF-16 units. */
  maxLength: number
  /** Whether a text and its result may be remembered; default: all. */
  keep?: (text: string, result: Result) => boolean
}

/**
 * A pure function of a text that remembers what it made of texts that come again and again. They are in two halves: when
 * the newer one is full, the older one goes, less what was asked for since. Callers share the results and must not change
 * them.
 */
export function memoize<Result extends object | string | boolean>(
  compute: (text: string) => Result,
  { maxEntries, maxLength, keep = () => true }: MemoizeOptions<Result>,
): (text: string) => Result {
  let older = new Map<string, Result>()
  let newer = new Map<string, Result>()
  // One that has many entries taken out at its beginning looks through their places for its first: hence no single one.
  const remember = (text: string, result: Result): Result => {
    if (newer.size >= maxEntries / 2) {
      older = newer
      newer = new Map()
    }
    newer.set(text, result)
    return result
  }
  return (text) => {
    const recent = newer.get(text)
    if (recent !== undefined) return recent
    const remembered = older.get(text)
    if (remembered !== undefined) return remember(text, remembered)
    const result = compute(text)
    return text.length > maxLength || !keep(text, result) ? result : remember(text, result)
  }
}
