import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWordMatcher, foldText } from './word-matcher.ts'

function find(words: string[], text: string): string[] {
  const matches = createWordMatcher(words).find(foldText(text))
  return matches.map(({ word, start, end }) => `${words[word]}=${text.slice(start, end)}`)
}

describe('word matcher', () => {
  it.each([
    ['Chinese words anywhere', ['赌博'], '禁止赌博行为', ['赌博=赌博']],
    ['traditional characters', ['赌博'], '禁止賭博', ['赌博=賭博']],
    ['words that a line break cuts', ['赌博'], '禁止赌\n博', ['赌博=赌\n博']],
    ['full width and another case', ['gambling'], 'ＧＡＭＢＬＩＮＧ!', ['gambling=ＧＡＭＢＬＩＮＧ']],
    ['phrases over several blanks', ['100% safe'], 'It is 100%\n safe.', ['100% safe=100%\n safe']],
    ['letters with something invisible between them', ['idiot'], 'id\u200biot', ['idiot=id\u200biot']],
    ['Latin words beside Chinese ones', ['AccessKey'], '泄露AccessKey了', ['AccessKey=AccessKey']],
    [
      'words inside and at the end of others',
      ['he', 'she', 'hers'],
      'she, he, hers',
      ['she=she', 'he=he', 'hers=hers'],
    ],
    ['a phrase that ends in a sign', ['password:'], 'Password:secret', ['password:=Password:']],
  ])('finds %s', (_, words, text, found) => {
    expect(find(words, text)).toEqual(found)
  })

  it.each([
    ['within a longer word', ['ass'], 'a class of glasses'],
    ['of which only the beginning is there', ['admin password is'], 'admin password'],
    ['over the end of a sentence', ['赌博'], '好赌。博士'],
    ['without any word', [''], 'text'],
    ['in nothing', ['word'], ''],
  ])('finds none %s', (_, words, text) => {
    expect(find(words, text)).toEqual([])
  })

  it('finds what a search for each word would find', () => {
    const word = fc.stringMatching(/^[赌博毒品]{1,4}$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 8 }),
        fc.stringMatching(/^[赌博毒品的]{0,40}$/),
        (words, text) => {
          const expected = words.flatMap((each, i) =>
            [...text].flatMap((_, at) => (text.startsWith(each, at) ? [`${i}@${at}`] : [])),
          )
          const found = createWordMatcher(words).find(foldText(text))
          expect(found.map(({ word: i, start }) => `${i}@${start}`).sort()).toEqual(expected.sort())
        },
      ),
    )
  })

  it('points into the original text, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        const text = `${before} 赌博 ${after}`
        const [match] = createWordMatcher(['赌博'])
          .find(foldText(text))
          .filter(({ start }) => start >= before.length)
        expect(text.slice(match?.start, match?.end)).toBe('赌博')
      }),
    )
  })
})
