/** Boundaries to cut at, the most natural first: paragraph, line, sentence, clause or word. */
const BOUNDARIES = [/\n\n/g, /\n/g, /[。！？!?；;]|\.(?=\s)/g, /[，,、\s]/g]

/** No grapheme worth keeping together is longer (a family emoji is 11 code units, flags are 4). */
const GRAPHEME_WINDOW = 64

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Cuts `text` into parts of at most `maxBytes` UTF-8 bytes (at least 4) whose concatenation is `text` again. Cuts where a reader
 * would pause if that leaves a part at least half full, otherwise between graphemes, never within a code point.
 */
export function splitTextByBytes(text: string, maxBytes: number): string[] {
  const parts: string[] = []
  let rest = text
  // No code unit takes less than a byte: of what is longer the bytes need not be counted, again for each part.
  while (rest.length > maxBytes || Buffer.byteLength(rest) > maxBytes) {
    const cut = cutPosition(rest, maxBytes)
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return rest === '' && parts.length > 0 ? parts : [...parts, rest]
}

function cutPosition(text: string, maxBytes: number): number {
  const limit = longestPrefix(text, maxBytes)
  const head = text.slice(0, limit)
  for (const boundary of BOUNDARIES) {
    const end = lastMatchEnd(head, boundary)
    if (end >= limit / 2) return end
  }
  return graphemeStart(text, limit)
}

/** Code units of the longest prefix within `maxBytes` that ends between code points. */
function longestPrefix(text: string, maxBytes: number): number {
  let bytes = 0
  let units = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    units += character.length
  }
  return units
}

function lastMatchEnd(text: string, boundary: RegExp): number {
  let end = 0
  for (const match of text.matchAll(boundary)) end = match.index + match[0].length
  return end
}

/** The start of the grapheme that spans `limit`. The segmenter is quadratic on long strings, so it sees a short slice. */
function graphemeStart(text: string, limit: number): number {
  const from = Math.max(0, limit - GRAPHEME_WINDOW)
  const slice = text.slice(from, limit + GRAPHEME_WINDOW)
  const start = from + (graphemes.segment(slice).containing(limit - from)?.index ?? limit - from)
  return start > from && start > 0 ? start : limit
}
