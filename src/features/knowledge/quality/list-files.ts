import { readFileSync } from 'node:fs'
import type { QualityLists } from './inspection-protocol.ts'
import { parseGlossary, parseSensitiveWords } from './word-lists.ts'

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
