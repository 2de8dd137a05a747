/** How much more frequent a word must be for a rarer one to be taken for a slip of it. */
const MIN_RATIO = 20
const CORRECTABLE = /^[a-z]{5,}$/

/**
 * For each word the word that was meant: of two that differ by one dropped, added or swapped letter the far more frequent
 * one. A replaced letter makes another word too easily (change, charge). In a large collection slips are frequent enough
 * to form groups of their own, so they are undone before texts are compared. Words may be stems.
 */
export function correctSlips(words: readonly string[], counts: readonly number[]): Uint32Array {
  const frequent = indexFrequent(words, counts)
  const meant = Uint32Array.from(words, (_, word) => word)
  const byFrequency = [...meant].sort((a, b) => (counts[b] as number) - (counts[a] as number) || a - b)
  for (const word of byFrequency) {
    const text = words[word] as string
    if (!CORRECTABLE.test(text)) continue
    let best = word
    for (const form of [text, ...withoutOneLetter(text)]) {
      for (const other of frequent.get(form) ?? []) {
        const isMore = (counts[other] as number) >= (counts[word] as number) * MIN_RATIO
        const isBetter = best === word || (counts[other] as number) > (counts[best] as number)
        if (isMore && isBetter && isSlip(text, words[other] as string)) best = other
      }
    }
    // The more frequent word was settled before.
    meant[word] = meant[best] as number
  }
  return meant
}

/** Words that others could be slips of, by themselves and by every form with a letter left out. */
function indexFrequent(words: readonly string[], counts: readonly number[]): Map<string, number[]> {
  const index = new Map<string, number[]>()
  words.forEach((text, word) => {
    if ((counts[word] as number) < MIN_RATIO || !CORRECTABLE.test(text)) return
    for (const form of new Set([text, ...withoutOneLetter(text)])) index.set(form, [...(index.get(form) ?? []), word])
  })
  return index
}

function withoutOneLetter(text: string): string[] {
  return Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1))
}

/** A letter dropped, added, or swapped with the next. */
function isSlip(a: string, b: string): boolean {
  if (a.length !== b.length) return Math.abs(a.length - b.length) === 1
  const differing = [...a].flatMap((letter, at) => (letter === b[at] ? [] : [at]))
  const [first, second] = differing
  return (
    differing.length === 2 &&
    second === (first as number) + 1 &&
    a[first as number] === b[second] &&
    a[second] === b[first as number]
  )
}
