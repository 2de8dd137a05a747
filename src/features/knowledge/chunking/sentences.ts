import { countTokens, prefixWithin } from './tokens.ts'

const CLOSERS = '"\'”’」』）)】》]'
const CJK_END = '。！？；…'
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|prof|st|no|fig|approx|inc|ltd|co|dept|est|[a-z])$/i

/**
 * Cuts text after sentence ends (。！？； always, .!? before a space, line ends), so that joining the parts gives the text
 * back. One pass; Intl.Segmenter is quadratic on long strings.
 */
function sentences(text: string): string[] {
  const parts: string[] = []
  let start = 0
  let i = 0
  while (i < text.length) {
    const end = sentenceEnd(text, i, start)
    if (end < 0) {
      i++
      continue
    }
    i = end
    while (i < text.length && /\s/.test(text[i] as string)) i++
    parts.push(text.slice(start, i))
    start = i
  }
  if (start < text.length) parts.push(text.slice(start))
  return parts
}

/** Index after the end mark and its closing quotes when a sentence ends at `at`, else -1. */
function sentenceEnd(text: string, at: number, start: number): number {
  const char = text[at] as string
  if (char === '\n') return at + 1
  const cjk = CJK_END.includes(char)
  if (!cjk && char !== '.' && char !== '!' && char !== '?') return -1
  let end = at + 1
  while (end < text.length && (CJK_END.includes(text[end] as string) || '.!?'.includes(text[end] as string))) end++
  while (end < text.length && CLOSERS.includes(text[end] as string)) end++
  if (cjk || end === text.length) return end
  if (!/\s/.test(text[end] as string)) return -1
  return char === '.' && ABBREVIATION.test(text.slice(Math.max(start, at - 12), at)) ? -1 : end
}

/**
 * Pieces of at most `maxTokens`, cut between sentences where they fit, else at clause marks or spaces, else anywhere.
 * Each piece after the first begins with the last sentence of the one before when that has at most `overlapTokens`.
 */
export function splitText(text: string, maxTokens: number, overlapTokens: number): string[] {
  if (countTokens(text) <= maxTokens) return [text]
  const pieces: string[] = []
  let parts: string[] = []
  let tokens = 0
  for (const part of sentences(text).flatMap((sentence) => fitting(sentence, maxTokens))) {
    const size = countTokens(part)
    if (tokens + size > maxTokens && parts.length > 0) {
      pieces.push(parts.join('').trim())
      const last = parts.at(-1) as string
      const lastTokens = countTokens(last)
      const repeat = parts.length > 1 && lastTokens <= overlapTokens && lastTokens + size <= maxTokens
      parts = repeat ? [last] : []
      tokens = repeat ? lastTokens : 0
    }
    parts.push(part)
    tokens += size
  }
  pieces.push(parts.join('').trim())
  return pieces.filter((piece) => piece !== '')
}

/** A sentence that alone is too long, cut at its last clause mark or space before the limit. */
function fitting(sentence: string, maxTokens: number): string[] {
  if (countTokens(sentence) <= maxTokens) return [sentence]
  const parts: string[] = []
  for (let start = 0; start < sentence.length; ) {
    const limit = prefixWithin(sentence, maxTokens, start)
    const end = limit >= sentence.length ? limit : softEnd(sentence, start, limit)
    parts.push(sentence.slice(start, end))
    start = end
  }
  return parts
}

function softEnd(text: string, start: number, limit: number): number {
  for (let i = limit; i > start + (limit - start) / 2; i--) {
    if (/[\s，、；,;:：]/u.test(text[i - 1] as string)) return i
  }
  return limit
}
