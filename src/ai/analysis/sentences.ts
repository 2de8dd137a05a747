const END = /[。！？；!?…]|[.](?=\s|$)/
const CLOSING = /["'”’」』）)\]】]/
const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|inc|ltd|approx|fig|jan|feb|aug|sept|oct|nov|dec)|\b[A-Z])$/i

/**
 * Splits text into sentences: after 。！？；!? and after a full stop followed by white space, at line ends, and not after common
 * abbreviations. Closing quotes and brackets stay with their sentence. Sentences are trimmed; empty ones fall away.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  for (const line of text.split(/\r?\n/)) splitLine(line, sentences)
  return sentences
}

function splitLine(line: string, sentences: string[]): void {
  let start = 0
  for (let i = 0; i < line.length; i++) {
    if (!END.test(line.slice(i, i + 2).charAt(0) === '.' ? line.slice(i, i + 2) : line.charAt(i))) continue
    if (line[i] === '.' && ABBREVIATION.test(line.slice(Math.max(start, i - 8), i))) continue
    let end = i + 1
    while (end < line.length && (CLOSING.test(line[end]!) || /[。！？!?….]/.test(line[end]!))) end++
    push(sentences, line.slice(start, end))
    start = end
    i = end - 1
  }
  push(sentences, line.slice(start))
}

function push(sentences: string[], sentence: string): void {
  const trimmed = sentence.trim()
  if (trimmed !== '') sentences.push(trimmed)
}
