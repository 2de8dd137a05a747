import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createAnalyser } from '../words/analyser.ts'
import { findSynonymProblems } from './synonyms.ts'

const analyser = createAnalyser()

function wordingsOf(text: string, synonyms = ''): string[] {
  const { words, alternatives } = createAnalyser({ synonyms })
  return alternatives(words(text)).map((alternative) => alternative.words.join(' '))
}

describe('alternatives', () => {
  it('come from the built-in groups in both languages', () => {
    expect(wordingsOf('My parcel')).toContain('packag')
    expect(wordingsOf('我的包裹')).toContain('快件')
  })

  it('come from a user’s groups, phrases and other languages included', () => {
    const groups = '# our own names\nsprocket, gear wheel\n滤芯，filter  # both are used\n'
    expect(wordingsOf('Which sprockets fit?', groups)).toEqual(['gear wheel'])
    expect(wordingsOf('Which gear wheels fit?', groups)).toContain('sprocket')
    expect(wordingsOf('滤芯多久换一次', groups)).toContain('filter')
  })

  it('do not chain from one group into another', () => {
    expect(wordingsOf('zorb', 'zorb,quux\nquux,blip')).toEqual(['quux'])
  })

  it('change the fingerprint of the synonyms and not that of the analysis', () => {
    const own = createAnalyser({ synonyms: 'zorb,quux' })
    expect(own.synonymsFingerprint).not.toBe(analyser.synonymsFingerprint)
    expect(own.fingerprint).toBe(analyser.fingerprint)
  })
})

describe('a user’s groups that mean nothing', () => {
  it.each([
    ['zorb,quux\n\nlonely', 'line 3: a group needs two different entries, separated by commas'],
    ['returns, return', 'line 1: a group needs two different entries, separated by commas'],
    ['zorb, the', 'line 1: "the" holds no word to search by'],
    ['zorb, ???', 'line 1: "???" holds no word to search by'],
    [
      'zorb, one two three four five six seven',
      'line 1: "one two three four five six seven" has 7 words; 6 at the most',
    ],
  ])('%j: %s', (groups, problem) => {
    expect(findSynonymProblems(groups, analyser.words)).toEqual([problem])
    expect(() => createAnalyser({ synonyms: groups })).toThrow(problem)
  })

  it('are not what comments and empty lines are', () => {
    expect(findSynonymProblems('# a, b\n\n  \nzorb,quux # why\r\n', analyser.words)).toEqual([])
  })

  it('do not stand in the built-in groups', () => {
    for (const name of ['english', 'chinese']) {
      const groups = readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8')
      expect(findSynonymProblems(groups, analyser.words)).toEqual([])
    }
  })
})
