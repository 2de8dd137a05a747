import type { Analyser } from '../../../language/words/analyser.ts'
import { hashTerm } from '../../../language/words/hash-term.ts'
import type { RankingQuery } from './ranking/query.ts'

/** A word of a text that the query asks for, in characters of the text. */
export interface Highlight {
  start: number
  end: number
  /** The word of the query that it stands for. */
  word: string
  /** 1: the word itself; less: another wording of it. */
  strength: number
}

interface Token {
  start: number
  end: number
  hash: number
}

/** Chinese is cut by the analyser, other scripts at what is no letter and no digit. */
const RUN = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}'’])+/gu
const NOT_ENOUGH = Number.NEGATIVE_INFINITY

/** Where a text holds words of a query, as the ranking matches them: by stem, synonym and corrected spelling too. */
export function highlights(query: RankingQuery, text: string, analyser: Pick<Analyser, 'words'>): Highlight[] {
  const tokens = [...text.matchAll(RUN)].flatMap(({ index, 0: run }) => tokensOf(run, index, analyser))
  return tokens.flatMap((token, at) => {
    const found = (query.matches.get(token.hash) ?? []).filter(({ before }) => isPreceded(tokens, at, before))
    const best = found.toSorted((a, b) => b.strength - a.strength)[0]
    if (!best) return []
    const { start } = tokens[at - best.before.length] ?? token
    return [{ start, end: token.end, word: query.words[best.slot] ?? '', strength: best.strength }]
  })
}

function tokensOf(run: string, start: number, analyser: Pick<Analyser, 'words'>): Token[] {
  const words = analyser.words(run)
  const isCut = words.join('').length === run.length && words.length > 1
  if (!isCut) return words.map((word) => ({ start, end: start + run.length, hash: hashTerm(word) }))
  let at = start
  return words.map((word) => {
    const token = { start: at, end: at + word.length, hash: hashTerm(word) }
    at = token.end
    return token
  })
}

function isPreceded(tokens: readonly Token[], at: number, before: readonly number[]): boolean {
  return before.every((hash, i) => (tokens[at - before.length + i]?.hash ?? NOT_ENOUGH) === hash)
}
