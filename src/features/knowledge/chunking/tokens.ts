const CJK = 1
const WORD = 2
const SPACE = 3
const SYMBOL = 4

const CHARS_PER_WORD_TOKEN = 6
const CHARS_PER_SYMBOL_TOKEN = 3
/** Ordinary spacing is free; only runs of blanks that would bloat a chunk count. */
const CHARS_PER_SPACE_TOKEN = 16

/**
 * Estimated language-model tokens of a text: one per CJK character, one per started six letters of a word, one per
 * started three symbols. Linear. For parts joined by white space the sum of the parts is the count of the whole.
 */
export function countTokens(text: string): number {
  let tokens = 0
  let kind = 0
  let run = 0
  for (let i = 0; i < text.length; i++) {
    const next = kindOf(text.charCodeAt(i))
    if (next === CJK) tokens++
    if (next === kind) run++
    else {
      tokens += runTokens(kind, run)
      kind = next
      run = 1
    }
  }
  return tokens + runTokens(kind, run)
}

/** Largest prefix length (in UTF-16 units, never inside a surrogate pair) whose count is at most `limit`, at least 1. */
export function prefixWithin(text: string, limit: number, start = 0): number {
  let tokens = 0
  let kind = 0
  let run = 0
  for (let i = start; i < text.length; i++) {
    const next = kindOf(text.charCodeAt(i))
    if (next !== kind) {
      tokens += runTokens(kind, run)
      kind = next
      run = 0
    }
    run++
    if (next === CJK) tokens++
    if (tokens + runTokens(kind, run) > limit) return Math.max(start + 1, wholeCharacter(text, i))
  }
  return text.length
}

function wholeCharacter(text: string, end: number): number {
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end
}

function runTokens(kind: number, run: number): number {
  if (kind === WORD) return Math.ceil(run / CHARS_PER_WORD_TOKEN)
  if (kind === SYMBOL) return Math.ceil(run / CHARS_PER_SYMBOL_TOKEN)
  return kind === SPACE ? Math.floor(run / CHARS_PER_SPACE_TOKEN) : 0
}

function kindOf(code: number): number {
  if (code < 0x80) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)) return WORD
    return code <= 32 ? SPACE : SYMBOL
  }
  if (isCjk(code)) return CJK
  if (code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200f) || code === 0x2028 || code === 0x2029)
    return SPACE
  return (code >= 0x2010 && code <= 0x2bff) || (code >= 0x3001 && code <= 0x303f) || code >= 0xfe00 ? SYMBOL : WORD
}

/** Han, kana, hangul; a surrogate pair (rare Han, emoji) counts for its second half. */
function isCjk(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xdc00 && code <= 0xdfff)
  )
}
