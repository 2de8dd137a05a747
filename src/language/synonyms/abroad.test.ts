import { describe, expect, it } from 'vitest'
import { createAnalyser } from '../words/analyser.ts'

const { words, abroad } = createAnalyser()
const wordings = (text: string): string[] => abroad(words(text)).map((wording) => wording.words.join(' '))

describe('abroad', () => {
  it.each(['Do you ship to Germany?', 'shipping to South Korea', 'TO THE UNITED STATES', 'how long to turkey', 'uk'])(
    'is what pages may say for the country of %s',
    (text) => {
      expect(wordings(text)).toEqual(expect.arrayContaining(['oversea', 'abroad', 'intern']))
    },
  )

  it.each(['能寄到德国吗', '我在澳大利亚', '台湾能送吗'])('is what pages may say for the country of %s', (text) => {
    expect(wordings(text)).toEqual(['海外', '国外', '境外', '国际'])
  })

  it.each(['Please tell us how to ship it', 'the south side', '', '寄到杭州要几天'])('is nothing in %s', (text) => {
    expect(wordings(text)).toEqual([])
  })

  it('stands in the place of the whole name', () => {
    const [first] = abroad(words('shipping to South Korea'))
    expect(first).toMatchObject({ at: 2, length: 2 })
  })
})
