import { sentenceEnds } from '../../language/sentences.ts'

/** Boundaries to cut at, the most natural first: paragraph, line, sentence, clause or word. */
const BOUNDARIES: readonly ((text: string) => readonly number[])[] = [
  endsOf(/\n\n/g),
  endsOf(/\n/g),
  sentenceEnds,
  endsOf(/;/g),
  endsOf(/[，,、\s]/g),
]

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

/** The parts of a text that say something, each short enough for one message. */
export function splitIntoMessages(text: string, maxBytes: number): string[] {
  return splitTextByBytes(text, maxBytes).filter((part) => part.trim() !== '')
}

function cutPosition(text: string, maxBytes: number): number {
  const limit = longestPrefix(text, maxBytes)
  // One more, for what follows a full stop tells whether it ends a sentence.
  const head = text.slice(0, limit + 1)
  for (const boundary of BOUNDARIES) {
    const end = boundary(head).findLast((each) => each <= limit) ?? 0
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

function endsOf(boundary: RegExp): (text: string) => number[] {
  return (text) => Array.from(text.matchAll(boundary), (match) => match.index + match[0].length)
}

/** The start of the grapheme that spans `limit`. The segmenter is quadratic on long strings, so it sees a short slice. */
function graphemeStart(text: string, limit: number): number {
  const from = Math.max(0, limit - GRAPHEME_WINDOW)
  const slice = text.slice(from, limit + GRAPHEME_WINDOW)
  const start = from + (graphemes.segment(slice).containing(limit - from)?.index ?? limit - from)
  return start > from && start > 0 ? start : limit
}
