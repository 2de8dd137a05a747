import { toSimplified } from '../../../ai/analysis/traditional.ts'

/**
 * What a text is matched in: NFKC, lower case, simplified Chinese, white space as one blank, none of it between
 * ideographs (extracted PDFs break lines within words), nothing invisible. `offsets[i]` is where in the original text the
 * i-th folded character comes from.
 */
export interface FoldedText {
  text: string
  offsets: readonly number[]
}

const BLANK = ' '
const SPACE = /\s/u
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/u
const HAN = /\p{Script=Han}/u
/** Most characters fold to one; the few others are looked up. */
const folds = new Map<number, string>()

export function foldText(text: string): FoldedText {
  let folded = ''
  const offsets: number[] = []
  let pendingBlank = -1
  let lastIsHan = false
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!
    const form = foldOf(code)
    const start = at
    at += code > 0xffff ? 2 : 1
    if (form === '') continue
    if (form === BLANK) {
      if (pendingBlank < 0 && folded !== '') pendingBlank = start
      continue
    }
    const isHan = code > 0x2e7f && HAN.test(form)
    if (pendingBlank >= 0 && !(lastIsHan && isHan)) {
      folded += BLANK
      offsets.push(pendingBlank)
    }
    pendingBlank = -1
    folded += form
    for (let i = 0; i < form.length; i++) offsets.push(start)
    lastIsHan = isHan
  }
  return { text: folded, offsets }
}

function foldOf(code: number): string {
  const known = folds.get(code)
  if (known !== undefined) return known
  const character = String.fromCodePoint(code)
  const form = fold(character)
  folds.set(code, form)
  return form
}

function fold(character: string): string {
  if (SPACE.test(character)) return BLANK
  if (INVISIBLE.test(character)) return ''
  // Dotted capital I and its like: lower case may add a combining mark, which no word list writes.
  return toSimplified(character.normalize('NFKC').toLowerCase())
    .replace(/[’ʼ]/gu, "'")
    .replace(/\u0307/gu, '')
}
