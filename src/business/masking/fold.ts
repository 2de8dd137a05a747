const dashes = /[\u2010-\u2015\u2212\uFE58\uFE63\u30FC]/
const spaces = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/
const invisible = /[\u00AD\u200B-\u200F\u2060\uFEFF]/
const chineseDigits = '零一二三四五六七八九'
const chineseDigitOf = new Map<string, string>([
  ...[...chineseDigits].map((character, digit): [string, string] => [character, String(digit)]),
  ['〇', '0'],
  ['幺', '1'],
  ...[...'壹贰叁肆伍陆柒捌玖'].map((character, index): [string, string] => [character, String(index + 1)]),
])

const foldable =
  /[\u00A0\u00AD\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u1680\u2000-\u2015\u202F\u205F\u2060\u2212\u3000\u30FC\uFE58\uFE63\uFEFF\uFF01-\uFF5E]/g

/** Where a code point's decimal digits start, for the scripts in which people type digits. */
const digitZeros = [0x660, 0x6f0, 0x966, 0xff10]

function foldCharacter(character: string): string {
  const code = character.charCodeAt(0)
  const zero = digitZeros.find((start) => code >= start && code <= start + 9)
  if (zero !== undefined) return String(code - zero)
  if (dashes.test(character)) return '-'
  if (spaces.test(character)) return ' '
  if (invisible.test(character)) return '\u200B'
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  return character
}

/**
 * Reduces unusual ways to write digits, spaces, dashes and Latin letters to ASCII, one UTF-16 unit for one, so that
 * a position in the result is the same position in `text`. Invisible characters become U+200B. A run of seven or more
 * Chinese numerals (a number read aloud) becomes digits; shorter runs are ordinary words.
 */
export function foldText(text: string): string {
  const ascii = text.replace(foldable, foldCharacter)
  return ascii.replace(/[〇零一二三四五六七八九幺壹贰叁肆伍陆柒捌玖]{7,}/g, (run) =>
    Array.from(run, (character) => chineseDigitOf.get(character) ?? character).join(''),
  )
}
