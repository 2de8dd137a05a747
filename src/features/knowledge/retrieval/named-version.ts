import { plainForm } from '../../../language/fold.ts'
import type { SearchHit } from '../types.ts'

/** A passage for the version that was named is given first where it scores at least this share of the best. */
const NEAR = 0.5
/** A passage for another version than the one that was named is worth this share of its score. */
const OTHER_VERSION = 0.5
const MARK = '(?:versions?|ver\\.?|v\\.?|rev\\.?|release|版本|第)'

/**
 * Hits in the order for a customer who names a version: those whose document applies to it before those that do not say
 * to which, and those for another last. Where the question names none that a hit applies to, nothing changes.
 */
export function preferNamedVersion(query: string, hits: readonly SearchHit[]): SearchHit[] {
  const versions = new Set(hits.flatMap(({ applicableVersion }) => applicableVersion ?? []))
  if (versions.size === 0) return [...hits]
  const asked = plainForm(query)
  const named = new Set([...versions].filter((version) => isNamed(version, asked)))
  if (named.size === 0) return [...hits]
  const best = Math.max(...hits.map(({ score }) => score))
  const scoreOf = ({ applicableVersion, score }: SearchHit): number => {
    if (!applicableVersion) return score
    if (!named.has(applicableVersion)) return score * OTHER_VERSION
    return score >= best * NEAR ? best : score
  }
  const isFirst = ({ applicableVersion }: SearchHit): number => (named.has(applicableVersion ?? '') ? 1 : 0)
  return hits
    .map((hit) => ({ hit, score: scoreOf(hit) }))
    .sort((a, b) => b.score - a.score || isFirst(b.hit) - isFirst(a.hit) || b.hit.score - a.hit.score)
    .map(({ hit, score }) => ({ ...hit, score }))
}

/** Whether a text names a version. A number alone says nothing unless a word beside it says that it is a version. */
function isNamed(version: string, asked: string): boolean {
  const bare = plainForm(version)
    .trim()
    .replace(new RegExp(`^${MARK}\\s*(?=\\d)`), '')
  if (bare === '') return false
  const escaped = bare.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  if (/^\d{1,3}$/.test(bare)) {
    return new RegExp(`(?:(?<![a-z])${MARK}\\s*${escaped}(?![\\d.]*\\d)|(?<![\\d.])${escaped}\\s*版)`).test(asked)
  }
  // A version stands whole: 2.1 is not 2.1.3, and "pro" is not in "product".
  return new RegExp(`(?<![a-z0-9.]|[a-z0-9]-)(?:${MARK}\\s*)?${escaped}(?![a-z0-9]|\\.\\d)`).test(asked)
}
