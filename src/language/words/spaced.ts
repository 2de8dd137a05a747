import { memoize } from '../../kernel/memoize.ts'
import { foldCase } from '../fold.ts'
import { stem } from './stem.ts'
import { isStopWord } from './stop-words.ts'

const MAX_WORD_LENGTH = 48

/** Meaning of one run of a spaced script: its words in order, and the joined forms under which it is also indexed. */
export type SpacedTerms = { words: string[]; joined: string[] }

/**
 * Takes a run such as `COVID-19`, `v6.4.0` or `tidb_ddl_reorg_batch_size` apart and keeps it whole as well.
 * Every term holds letters and digits only and starts with a letter (numbers get an `n`), so Postgres's default parser reads
 * it as one token; the point of a version becomes a `d`, so that 6.4.0 and 64.0 differ.
 */
export const spacedTerms: (run: string) => Readonly<SpacedTerms> = memoize(
  (run) => {
    if (PLAIN.test(run)) return { words: [stem(run.toLowerCase())], joined: [] }
    const terms: SpacedTerms = { words: [], joined: [] }
    for (const section of run.split(/[@/:&]/)) addSection(section, terms)
    return terms
  },
  // Most of a text is made of a few thousand words.
  { maxEntries: 10_000, maxLength: 32 },
)

/** A word that holds no number, mark or second capital is one term, which is found without taking it apart. */
const PLAIN = /^[A-Z]?[a-z]{1,46}$/

function addSection(section: string, terms: SpacedTerms): void {
  const bare = section
    .replace(/'s$/i, '')
    .replaceAll("'", '')
    .replaceAll(/(\d),(?=\d{3})/g, '$1')
  const version = /^(?:v\d+|v?\d+(?:\.\d+)+)$/i.test(bare)
  if (version) addVersion(bare.replace(/^v/i, ''), terms)
  else addWords(bare.split(/[._\-,]/).filter(Boolean), terms)
}

/** A version is found by itself and by each shorter version that it belongs to: 6.4.0 by 6.4 and 6. */
function addVersion(version: string, { words, joined }: SpacedTerms): void {
  const levels = version.split('.')
  words.push(versionTerm(levels))
  for (let length = Math.min(levels.length - 1, 4); length > 0; length--)
    joined.push(versionTerm(levels.slice(0, length)))
}

function versionTerm(levels: readonly string[]): string {
  return `n${levels.join('d')}`.slice(0, MAX_WORD_LENGTH)
}

function addWords(sections: readonly string[], { words, joined }: SpacedTerms): void {
  // U.S. and e.g. are one word, not the words u and s.
  const initials = sections.length > 1 && sections.every((section) => /^\p{L}$/u.test(section))
  const parts = initials ? [sections.join('')] : sections.flatMap(splitNumber)
  for (const part of parts) words.push(wordTerm(part))
  if (parts.length > 1) joined.push(wordTerm(parts.join('').toLowerCase()))
  for (const part of parts) joined.push(...humps(part).map(wordTerm))
}

/** Takes `covid19` apart, which others write `COVID-19`, and `5ghz`, which others write `5 GHz`; `1st` stays one word. */
function splitNumber(part: string): string[] {
  if (ORDINAL.test(part)) return [part]
  return (WITH_NUMBER.exec(part) ?? WITH_UNIT.exec(part))?.slice(1) ?? [part]
}

const ORDINAL = /^\d+(?:st|nd|rd|th)$/i
// The digits begin where the letters end, so that nothing is tried twice.
const WITH_NUMBER = /^(.*\p{L}\p{L})(\d+)$/u
const WITH_UNIT = /^(\d+)(\p{L}{2,4})$/u

/** The words of `batchSize`. The name stays one word all the same: people write `iPhone` without the capital. */
function humps(part: string): string[] {
  const pieces = part.split(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/u)
  return pieces.length > 1 ? pieces : []
}

function wordTerm(part: string): string {
  const bounded = part.slice(0, MAX_WORD_LENGTH * 2)
  const folded = foldCase(bounded).slice(0, MAX_WORD_LENGTH)
  if (isAcronym(bounded) && isStopWord(folded)) return `${folded}0`
  const term = stem(folded)
  return /^\p{L}/u.test(term) ? term : `n${term}`
}

/** US, WHO and IT in capitals are names, not the stop words. */
function isAcronym(part: string): boolean {
  return part.length >= 2 && part.length <= 4 && /^\p{Lu}+$/u.test(part)
}
