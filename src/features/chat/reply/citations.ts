import { createPieces, type Pieces } from './held-text.ts'

/** Longer brackets are no citation, and are not waited for. */
const MAX_LENGTH = 40
const OPEN = /[^\S\n]?[[【［]/
const INSIDE = new RegExp(`^([^\\S\\n]?)[[【［]([^[\\]【】［］\\n]{0,${MAX_LENGTH}})`)
const CLOSE = /^[\]】］]/
const CITED =
  /^(?:(?:passages?|sources?|documents?|来源|资料|段落|文档)\s*)?[#^]?\d{1,6}(?:\s*(?:[,，、;；&-]|–|and|和)\s*[#^]?\d{1,6})*$/i
/** A range that spans more names no passages. */
const MAX_RANGE = 10

/**
 * Citations as models write them ("[1, 3]", "【2】", "[Passages 1-3]"), each as `[n]`. One of a passage that does not exist
 * goes, with the blank before it. Brackets are held back until they are over.
 */
export function createCitations(exists: (passage: number) => boolean): Pieces {
  return createPieces(({ text, cut }, isLast) => {
    const at = OPEN.exec(text)?.index
    if (at !== 0) return cut(at ?? wordsIn(text, isLast))
    const [opened = '', blank = '', inside = ''] = INSIDE.exec(text) ?? []
    const rest = text.slice(opened.length)
    if (rest === '' && inside.length < MAX_LENGTH && !isLast) return null
    if (!CLOSE.test(rest)) return cut(blank.length + 1)
    const bracket = cut(opened.length + 1)
    const known = citedIn(inside.normalize('NFKC').trim())?.filter(exists)
    if (!known) return bracket
    return known.length === 0 ? '' : blank + known.map((passage) => `[${passage}]`).join('')
  })
}

/** A blank at the end waits for what follows it. */
function wordsIn(text: string, isLast: boolean): number {
  return isLast ? text.length : text.replace(/[^\S\n]$/, '').length
}

/** The passages that the inside of a bracket names; null where it is something else. */
function citedIn(inside: string): number[] | null {
  if (!CITED.test(inside)) return null
  return [...inside.matchAll(/(\d+)(?:\s*[-–]\s*[#^]?(\d+))?/g)].flatMap(([, from, to]) => {
    const [first, last] = [Number(from), Number(to ?? from)]
    if (last < first || last - first >= MAX_RANGE) return []
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}
