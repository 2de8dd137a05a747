/** A word that must not enter the knowledge base. */
export interface SensitiveWord {
  word: string
  category: string
}

/** A term that the knowledge base should use; the first form names it, the others are accepted as well. */
export interface GlossaryTerm {
  term: string
  forms: readonly string[]
}

const DEFAULT_CATEGORY = 'general'

/** Reads `[category]` headings and one word or phrase a line; a line that starts with `#` is a comment. */
export function parseSensitiveWords(text: string): SensitiveWord[] {
  const words: SensitiveWord[] = []
  let category = DEFAULT_CATEGORY
  for (const line of contentLines(text)) {
    const heading = /^\[([^\]]+)\]$/.exec(line)
    if (heading) category = heading[1]!.trim()
    else words.push({ word: line, category })
  }
  return words
}

/** Reads one term a line, then its accepted alternatives, separated by commas. */
export function parseGlossary(text: string): GlossaryTerm[] {
  return contentLines(text).flatMap((line) => {
    const forms = line
      .split(/[,，]/)
      .map((form) => form.trim())
      .filter((form) => form !== '')
    return forms[0] === undefined ? [] : [{ term: forms[0], forms }]
  })
}

function contentLines(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
