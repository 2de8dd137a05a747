const ALWAYS_ENDS = /[。！？；…]|(?<=\p{Script=Han});/uy
// Bounded, so that a line of a million points is read in time that grows with it.
const TAIL = /[。！？；….!?]{0,40}["'”’」』）)】》\]]{0,40}/y
// "No. 5" is a number; "I said no. Then …" is a sentence.
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|prof|st|approx|inc|ltd|co|dept|est|[a-z])$/i
const NUMBERED = /(?:^|[\s(])(?:no|nr|fig|vol|ver|p|pp)$/i
const WORD_BEFORE = /(?:^|[\s\p{Script=Han},])[\p{L}\p{N}']{1,30}$/u
// Longer than every word and every name within an address.
const LOOK_BACK = 80

/**
 * Where the sentences of a text end: behind 。！？；… and line breaks (in Chinese behind ; as well), behind .!? before a blank, an
 * ideograph or the end (a blank is often forgotten behind !?), and behind the closing quotes and brackets that follow.
 * Abbreviations, decimals, addresses of the web and a list that breaks off ("Berlin… then") hold no end. One pass (Intl.Segmenter is quadratic on long strings); what
 * follows the last end is not listed.
 */
export function sentenceEnds(text: string): number[] {
  const ends: number[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const end = endAt(text, at, start)
    if (end < 0) continue
    ends.push(end)
    start = end
    at = end - 1
  }
  return ends
}

/** The offset behind the end mark at `at` and what belongs to it, -1 when no sentence ends there. */
function endAt(text: string, at: number, start: number): number {
  const mark = text[at]!
  if (mark === '\n') return at + 1
  ALWAYS_ENDS.lastIndex = at
  const isSure = ALWAYS_ENDS.test(text)
  if (!isSure && !'.!?'.includes(mark)) return -1
  TAIL.lastIndex = at + 1
  TAIL.test(text)
  const end = TAIL.lastIndex
  if (mark === '…' && /^\s\p{Ll}/u.test(text.slice(end, end + 2))) return -1
  if (isSure || end === text.length) return end
  if (!/[\s\p{Script=Han}]/u.test(text[end]!) && (mark === '.' || !goesOn(text, at, end, start))) return -1
  return mark === '.' && isAbbreviated(text.slice(Math.max(start, at - LOOK_BACK), at), text, end) ? -1 : end
}

/** "hello!can you …" is two sentences with a blank forgotten; `/faq?id=5` and `"really?", he said` are none. */
function goesOn(text: string, at: number, end: number, start: number): boolean {
  return (
    WORD_BEFORE.test(text.slice(Math.max(start, at - LOOK_BACK), at)) &&
    /[\p{L}\p{N}\p{So}]/u.test(text.slice(end, end + 2))
  )
}

function isAbbreviated(before: string, text: string, end: number): boolean {
  return ABBREVIATION.test(before) || (NUMBERED.test(before) && /^\s?[\d#]/.test(text.slice(end, end + 2)))
}

/** The sentences of a text, trimmed, in order; what holds neither letter, digit nor picture falls away. */
export function splitSentences(text: string): string[] {
  const ends = sentenceEnds(text)
  return [...ends, text.length]
    .map((end, index) => text.slice(ends[index - 1] ?? 0, end).trim())
    .filter((sentence) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(sentence))
}
