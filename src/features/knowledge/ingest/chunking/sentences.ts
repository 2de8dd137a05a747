import { sentenceEnds } from '../../../../language/sentences.ts'
import { countTokens, prefixWithin } from './tokens.ts'

/** Cuts text after sentence ends and the blanks behind them, so that joining the parts gives the text back. */
function sentences(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const end of [...sentenceEnds(text), text.length]) {
    let next = end
    while (next < text.length && /\s/.test(text[next]!)) next++
    if (next > start) parts.push(text.slice(start, next))
    start = Math.max(start, next)
  }
  return parts
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
