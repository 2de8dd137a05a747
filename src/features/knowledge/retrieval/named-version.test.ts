import { describe, expect, it } from 'vitest'
import type { SearchHit } from '../types.ts'
import { preferNamedVersion } from './named-version.ts'

const hit = (docId: string, score: number, applicableVersion: string | null): SearchHit =>
  ({ docId, score, applicableVersion }) as unknown as SearchHit

const ordered = (query: string, hits: readonly SearchHit[]): string[] =>
  preferNamedVersion(query, hits).map(({ docId }) => docId)

describe('the version that a question names', () => {
  const hits = [hit('new', 0.8, '2.1'), hit('any', 0.7, null), hit('old', 0.6, '1.0')]

  it.each([
    'How do I reset it in 1.0?',
    'how do i reset v1.0',
    'Reset, version 1.0',
    '1.0版怎么重置',
    '版本１．０怎么重置',
  ])('is preferred: %s', (query) => {
    expect(ordered(query, hits)).toEqual(['old', 'any', 'new'])
    expect(preferNamedVersion(query, hits).map(({ score }) => score)).toEqual([0.8, 0.7, 0.4])
  })

  it.each(['How do I reset it?', 'I paid 1.05 for it', 'reset 1.0.3', 'reset 11.0', 'in version 3'])(
    'is none of these: %s',
    (query) => expect(preferNamedVersion(query, hits)).toEqual(hits),
  )

  it.each([
    ['Are 2 chairs too many?', ['new', 'old']],
    ['Does version 2 fold?', ['old', 'new']],
    ['v2怎么折叠', ['old', 'new']],
    ['第2版怎么折叠', ['old', 'new']],
    ['version 20', ['new', 'old']],
  ])('needs a word beside a bare number: %s', (query, expected) => {
    expect(ordered(query, [hit('new', 0.8, '3'), hit('old', 0.7, '2')])).toEqual(expected)
  })

  it.each([
    ['Is the Pro edition louder?', ['pro', 'other']],
    ['Is the product louder?', ['other', 'pro']],
    ['企业版怎么收费', ['other', 'pro']],
  ])('may be a name: %s', (query, expected) => {
    expect(ordered(query, [hit('other', 0.8, 'Home'), hit('pro', 0.7, 'Pro')])).toEqual(expected)
  })

  it('stays behind where its passage is about something else', () => {
    expect(ordered('reset 1.0', [hit('any', 0.8, null), hit('old', 0.2, '1.0')])).toEqual(['any', 'old'])
  })
})
