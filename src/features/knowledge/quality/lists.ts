import { readFileSync } from 'node:fs'

/** The lists that the checks go by. */
export interface QualityLists {
  glossary: readonly GlossaryTerm[]
  sensitiveWords: readonly SensitiveWord[]
  /** The analyser's user dictionary, so that the checks read the same words as the search. */
  userDictionary: string
}

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
const SHIPPED = ['zh.txt', 'en.txt'].map((name) => new URL(`../word-lists/${name}`, import.meta.url).pathname)

/**
 * Reads what quality checks go by. Without files of sensitive words the lists that ship with the product count; without
 * a glossary no term is asked for. Throws when a file cannot be read.
 */
export function readQualityLists(
  files: { glossary?: string; sensitiveWords?: readonly string[]; userDictionary?: string } = {},
): QualityLists {
  const wordFiles = files.sensitiveWords?.length ? files.sensitiveWords : SHIPPED
  return {
    glossary: files.glossary ? parseGlossary(readFileSync(files.glossary, 'utf8')) : [],
    sensitiveWords: wordFiles.flatMap((path) => parseSensitiveWords(readFileSync(path, 'utf8'))),
    userDictionary: files.userDictionary ?? '',
  }
}

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
