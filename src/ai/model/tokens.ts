/**
 * Rough size of a text in tokens, for budgets and for endpoints that report no usage: four characters of alphabetic
 * scripts to a token (OpenAI's rule of thumb), one token for each CJK character. Linear in the length.
 */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let i = 0; i < text.length; i += 1) quarters += quartersOf(text.charCodeAt(i))
  return Math.ceil(quarters / 4)
}

/** The longest beginning of a text within `maxTokens` (as estimated), never ending inside a surrogate pair. */
export function truncateToTokens(text: string, maxTokens: number): string {
  let quarters = 0
  for (let i = 0; i < text.length; i += 1) {
    quarters += quartersOf(text.charCodeAt(i))
    if (quarters > maxTokens * 4) return text.slice(0, insidePair(text, i) ? i - 1 : i)
  }
  return text
}

function quartersOf(unit: number): number {
  // From the CJK radicals on: CJK, kana, Hangul, and surrogates, two of which make one emoji or rare character.
  return unit < 0x2e80 ? 1 : 4
}

function insidePair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  const before = text.charCodeAt(index - 1)
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff
}
