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

/** By code unit below U+0100, where most text is. */
const LOW_KINDS = Uint8Array.from({ length: 256 }, (_, code) => {
  const char = String.fromCharCode(code)
  return /\s/.test(char) || code < 32 ? SPACE : /[\p{L}\p{N}]/u.test(char) ? WORD : SYMBOL
})

function kindOf(code: number): number {
  if (code < 256) return LOW_KINDS[code] as number
  if (isCjk(code)) return CJK
  if (code === 0x3000 || within(code, 0x2000, 0x200f) || within(code, 0x2028, 0x202f)) return SPACE
  return within(code, 0x2010, 0x2bff) || within(code, 0x3001, 0x303f) || code >= 0xfe00 ? SYMBOL : WORD
}

/** Han, kana, hangul; a surrogate pair (rare Han, emoji) counts for its second half. */
function isCjk(code: number): boolean {
  return (
    within(code, 0x3040, 0x30ff) ||
    within(code, 0x3400, 0x9fff) ||
    within(code, 0xac00, 0xd7af) ||
    within(code, 0xf900, 0xfaff) ||
    within(code, 0xdc00, 0xdfff)
  )
}

function within(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}
