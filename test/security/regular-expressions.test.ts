import { describe, expect, it } from 'vitest'
import { cpuMs, findPatterns, hostileTexts, patternsIn } from './hostile-patterns.ts'

/** Slow on long texts, and never given one. */
const NEVER_LONG: Record<string, string> = {
  '\\/+$': 'the end of a configured URL',
  '^\\s*--.*$': 'our own migrations',
  "(?:^|[^\\p{L}'-])(\\p{Lu}[\\p{L}'-]*(?: \\p{Lu}[\\p{L}'-]*)* ?)$": 'the guard holds 400 characters back at most',
}

/** Long enough that a quadratic search costs a hundred times what a linear one does. */
const LENGTH = 1_000
const LONG = 2_000
/** What a quadratic search of a text of that length takes on this machine, in milliseconds. */
const QUADRATIC_MS = leastMs(/a.*b/g, 'a'.repeat(LENGTH))

/** The least of several tries: others use the machine too. */
function leastMs(pattern: RegExp, text: string): number {
  return Math.min(...[0, 1, 2, 3].map(() => cpuMs(() => search(pattern, text))))
}

/** How many times as much processor time twice the text takes. */
function growthOf(pattern: RegExp, piece: (length: number) => string): number {
  const [short, long] = [leastMs(pattern, piece(LONG)), leastMs(pattern, piece(2 * LONG))]
  // Less is not the search that is measured.
  return long < 2 * QUADRATIC_MS ? 1 : long / short
}

function search(pattern: RegExp, text: string): void {
  for (const _ of text.matchAll(pattern));
}

/** The beginning of a text with which the pattern takes more than three times as long when it is twice as long. */
function slowText(pattern: RegExp): string | undefined {
  if (!/[*+]|\{\d+,\}/.test(pattern.source)) return undefined
  const texts = hostileTexts(pattern, LENGTH)
  const isSlow = (text: string, i: number): boolean =>
    cpuMs(() => search(pattern, text)) > QUADRATIC_MS / 3 &&
    growthOf(pattern, (length) => hostileTexts(pattern, length)[i] as string) > 3
  return texts.find(isSlow)?.slice(0, 6)
}

describe('a regular expression', () => {
  it.each([String.raw`/\s+$/`, '/a.*b/', '/[一二三]+(?=天)/', String.raw`/(?:\w+,)*x/`])(
    'like %s is found out',
    // Others who use the machine make the short text take longer, and the growth look smaller.
    { retry: 3 },
    (source) => {
      const [pattern] = patternsIn(`const p = ${source}`)
      expect(slowText(pattern as RegExp)).toBeDefined()
    },
  )

  it('of the service takes twice as long for twice the text, about', () => {
    const patterns = findPatterns().filter(({ pattern }) => !Object.hasOwn(NEVER_LONG, pattern.source))
    expect(patterns.length).toBeGreaterThan(300)
    const slow = patterns.flatMap(({ file, pattern }) => {
      const text = slowText(pattern)
      return text === undefined ? [] : [`${file}: ${pattern} on ${JSON.stringify(text)}`]
    })
    expect(slow).toEqual([])
  })
})
