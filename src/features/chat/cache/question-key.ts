/** The part of the analyser that a key needs. */
export interface WordSplitter {
  words(text: string): string[]
}

/**
 * Words, as the analyser stems them, that change nothing about what is asked. Far fewer than the analyser's stop words: "which items can I return"
 * and "which items can't I return" search alike and must not be answered alike.
 */
const FILLERS = new Set(
  `a an the is are am be do does pleas hi hello hey just so
  的 吗 呢 吧 啊 呀 嘛 哦 请 请问 您好 你好 一下`.split(/\s+/),
)

/** Stands between what is said and changes nothing about it, but not within a word or a number: 1.5 is not 1 5. */
const PAUSE = /[.,!?;:…。，、！？；：']/u
const PLAIN = /[A-Za-z0-9]/
/** Letters that the analyser takes for others: with accents, of other widths, raised. */
const FOLDED = /[\p{Script=Latin}\p{Script=Greek}]/u
/** The analyser cuts longer words. */
const LONG_WORD = /[\p{L}\p{N}]{48,}/gu
const MARK = '\u0001'

/**
 * One key for questions that differ only in writing: case, width, pauses, inflection, traditional or simplified
 * characters, courtesies. Two questions with one key ask the same: every other character is in the key, in its place.
 */
export function questionKey(question: string, { words }: WordSplitter): string {
  const text = narrow(question.normalize('NFC').trim())
  const tokens: string[] = []
  const addWords = (run: string): void => {
    const found = words(run).map((word) => (word === '您' ? '你' : word))
    tokens.push(...found.filter((word) => !FILLERS.has(word)))
  }
  let run = ''
  const characters = [...text]
  characters.forEach((character, i) => {
    if (!isMark(character, characters[i - 1], characters[i + 1])) run += character
    else {
      addWords(run)
      tokens.push(`${MARK}${character}`)
      run = ''
    }
  })
  addWords(run)
  if (tokens.length === 0) return `=${text.toLowerCase()}`
  return [...tokens, ...(text.toLowerCase().match(LONG_WORD) ?? [])].join(' ')
}

/** Characters that the words of the analyser do not tell: symbols, brackets, emoji, accents, points within numbers. */
function isMark(character: string, before = '', after = ''): boolean {
  if (/\s/u.test(character) || PLAIN.test(character)) return false
  if (PAUSE.test(character)) return PLAIN.test(before) && PLAIN.test(after)
  if (!/[\p{L}\p{N}]/u.test(character)) return true
  return FOLDED.test(character) || character.normalize('NFKC') !== character
}

/** Full width means nothing, and neither does the form of an apostrophe. */
function narrow(text: string): string {
  return text.replace(/[\uFF01-\uFF5E]/g, (wide) => wide.normalize('NFKC')).replaceAll('’', "'")
}
