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

/** What the analyser leaves out and a question may turn on: C++ and C#, $5 and 5 %, 15 and 15+. */
const SYMBOLS = /[\p{S}#%&*@/\\-]/gu

/**
 * One key for questions that differ only in writing: case, width, punctuation, inflection, traditional or simplified
 * characters, courtesies. Two questions with one key ask the same.
 */
export function questionKey(question: string, { words }: WordSplitter): string {
  const text = question.normalize('NFKC').trim()
  const spoken = words(text).map((word) => (word === '您' ? '你' : word))
  const telling = spoken.filter((word) => !FILLERS.has(word))
  if (telling.length === 0) return `=${text.toLowerCase()}`
  return `${telling.join(' ')}\u0000${(text.match(SYMBOLS) ?? []).join('')}`
}
