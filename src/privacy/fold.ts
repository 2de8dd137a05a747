import { foldMarks } from '../language/fold.ts'
import { digitOf } from '../language/numerals.ts'

/**
 * Reduces unusual ways to write digits, spaces, dashes and Latin letters to ASCII, one UTF-16 unit for one, so that
 * a position in the result is the same position in `text`. Invisible characters become U+200B. A run of seven or more
 * Chinese numerals (a number read aloud) becomes digits; shorter runs are ordinary words.
 */
export function foldText(text: string): string {
  // The long mark of katakana stands for a dash between digits typed on a Japanese keyboard.
  return foldMarks(text)
    .replaceAll('\u30FC', '-')
    .replace(/[〇零一二三四五六七八九幺壹贰叁肆伍陆柒捌玖]{7,}/g, (run) => Array.from(run, digitOf).join(''))
}
