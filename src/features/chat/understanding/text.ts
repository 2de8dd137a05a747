import { toSimplified } from '../../../ai/analysis/traditional.ts'

/** Longest message that is analysed, in UTF-16 units; the contract allows no longer one. */
export const MAX_ANALYSED_LENGTH = 8_000

const BEYOND_ASCII = /[^ -~\s]/
const REPLACED = new Map([
  ['’', "'"],
  ['‘', "'"],
  ['´', "'"],
  ['“', '"'],
  ['”', '"'],
  ['\u3000', ' '],
  ['\u00a0', ' '],
  ['–', '-'],
  ['—', '-'],
])

/**
 * Lower case, half-width, straight quotes, simplified Chinese. The result has the length of the input, unit for unit,
 * so that offsets found in it hold in the original (NFKC and `toLowerCase` on whole strings do not promise that).
 */
export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  const simplified = toSimplified(text)
  let folded = ''
  for (let i = 0; i < simplified.length; i++) folded += foldUnit(simplified[i]!)
  return folded
}

function foldUnit(unit: string): string {
  const code = unit.charCodeAt(0)
  if (code < 0x80) return unit.toLowerCase()
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0).toLowerCase()
  const replaced = REPLACED.get(unit) ?? unit.toLowerCase()
  return replaced.length === 1 ? replaced : unit
}

/** As `matchAll` of a global pattern, which copies the pattern first, and most texts hold no match. */
export function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  pattern.lastIndex = 0
  if (!pattern.test(text)) return []
  pattern.lastIndex = 0
  return [...text.matchAll(pattern)]
}

/** True for the ideographs of the basic plane, which is where everyday Chinese is written. */
export function isHan(unit: string): boolean {
  const code = unit.charCodeAt(0)
  return (code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf)
}

/** How many ideographs the text has. */
export function countHan(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) if (isHan(text[i]!)) count++
  return count
}

/** Latin words of the folded text, in order; apostrophes inside a word are kept. */
export function latinWords(folded: string): string[] {
  return folded.match(/[a-z\u00df-\u024f]+(?:'[a-z]+)?/g) ?? []
}
