import { toSimplified } from '../../../ai/analysis/traditional.ts'

/**
 * What a text is matched in: NFKC, lower case, simplified Chinese, white space as one blank, none of it between
 * ideographs (extracted PDFs break lines within words), nothing invisible. `offsets[i]` is where in the original text the
 * i-th folded UTF-16 unit comes from.
 */
export interface FoldedText {
  units: Uint16Array
  offsets: Uint32Array
}

const BLANK = 0x20
const SPACE = /\s/u
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/u
const HAN = /\p{Script=Han}/u

interface Fold {
  units: readonly number[]
  isBlank: boolean
  isHan: boolean
}
/** Filled as characters are met: folding one takes a microsecond, looking it up a few nanoseconds. */
const folds: (Fold | undefined)[] = new Array(0x10000)
const rareFolds = new Map<number, Fold>()

export function foldText(text: string): FoldedText {
  const out = createOutput(text.length)
  const append = appendTo(out)
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!
    append(foldOf(code), at)
    at += code > 0xffff ? 2 : 1
  }
  return out.take()
}

/** Writes white space when it is known what follows it. */
function appendTo(out: ReturnType<typeof createOutput>): (fold: Fold, offset: number) => void {
  let last: Fold | undefined
  let blankAt = -1
  return (fold, offset) => {
    if (fold.units.length === 0) return
    if (fold.isBlank) {
      if (blankAt < 0) blankAt = offset
      return
    }
    if (blankAt >= 0 && last && !(last.isHan && fold.isHan)) out.add(BLANK, blankAt)
    for (const unit of fold.units) out.add(unit, offset)
    blankAt = -1
    last = fold
  }
}

/** Grows by doubling; a text rarely folds to more units than it has. */
function createOutput(expected: number) {
  let units = new Uint16Array(expected + 16)
  let offsets = new Uint32Array(expected + 16)
  let length = 0
  return {
    add(unit: number, offset: number): void {
      if (length === units.length) {
        units = enlarged(units, new Uint16Array(2 * length))
        offsets = enlarged(offsets, new Uint32Array(2 * length))
      }
      units[length] = unit
      offsets[length++] = offset
    },
    take: (): FoldedText => ({ units: units.subarray(0, length), offsets: offsets.subarray(0, length) }),
  }
}

function enlarged<T extends Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

function foldOf(code: number): Fold {
  const known = code > 0xffff ? rareFolds.get(code) : folds[code]
  if (known) return known
  const form = fold(String.fromCodePoint(code))
  const units = Array.from({ length: form.length }, (_, i) => form.charCodeAt(i))
  const made = { units, isBlank: form === ' ', isHan: HAN.test(form) }
  if (code > 0xffff) rareFolds.set(code, made)
  else folds[code] = made
  return made
}

function fold(character: string): string {
  if (SPACE.test(character)) return ' '
  if (INVISIBLE.test(character)) return ''
  // Lower case of İ and its like adds a combining mark, which no word list writes.
  return toSimplified(character.normalize('NFKC').toLowerCase())
    .replace(/[’ʼ]/gu, "'")
    .replace(/\u0307/gu, '')
}
