import type { Source } from '../../sessions/index.ts'
import { createPieces, type Pieces } from './held-text.ts'
import { phrasesFor } from './phrases.ts'

const LEADS = ['en', 'zh'].map((language) => phrasesFor(language).source)
const BREAK = '\n\n'

type Named = Pick<Source, 'title'>

/**
 * Leaves out of a reply the lines that name its sources ("Source: Returns › Electronics"), for places where sources stand
 * beside it. Text comes piece by piece; what may be the beginning of such a line is held back until it is decided. A line
 * that names none of `sources` is the document's own and stays.
 */
export function createSourceLines(sources: readonly Named[]): Pieces {
  const names = (line: string): boolean => sources.some(({ title }) => title !== '' && line.includes(title))
  return createPieces(({ text, cut }, isLast) => {
    const at = text.indexOf(BREAK)
    if (at !== 0) return cut(at < 0 ? wordsIn(text, isLast) : at)
    const [blank = ''] = /^\n+/.exec(text) ?? []
    const end = text.indexOf('\n', blank.length)
    const line = text.slice(blank.length, end < 0 ? text.length : end)
    if (end < 0 && !isLast && isOpen(line)) return null
    const lead = LEADS.find((each) => line.startsWith(each))
    if (lead === undefined) return cut(blank.length)
    const whole = cut(blank.length + line.length)
    return names(line.slice(lead.length)) ? '' : whole
  })
}

/** The same of a reply that is whole. */
export function withoutSourceLines(text: string, sources: readonly Named[]): string {
  const lines = createSourceLines(sources)
  return lines.push(text) + lines.end()
}

/** Whether a line that goes on may be one that names sources. */
function isOpen(line: string): boolean {
  return LEADS.some((lead) => lead.startsWith(line) || line.startsWith(lead))
}

/** A break at the end waits for what follows it. */
function wordsIn(text: string, isLast: boolean): number {
  return isLast ? text.length : text.replace(/\n$/, '').length
}
