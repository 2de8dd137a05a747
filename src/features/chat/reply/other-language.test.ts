import { describe, expect, it } from 'vitest'
import { readableIn } from './other-language.ts'

const GERMAN = { content: 'Wir liefern nach Hongkong.' }
const ENGLISH = { content: 'We deliver to Hong Kong.' }
const CHINESE = { content: '我们配送到香港。' }
const NUMBERS = { content: '¥35' }

describe('passages beside the best one', () => {
  it('are in the language of the customer where the best one is', () => {
    expect(readableIn([ENGLISH, CHINESE, NUMBERS], 'en')).toEqual([ENGLISH, NUMBERS])
    expect(readableIn([CHINESE, ENGLISH, NUMBERS], 'zh')).toEqual([CHINESE, NUMBERS])
  })

  it('are all of them where the best one is in another: the shop may have no other', () => {
    expect(readableIn([CHINESE, ENGLISH], 'en')).toEqual([CHINESE, ENGLISH])
    expect(readableIn([GERMAN, CHINESE], 'fr')).toEqual([GERMAN, CHINESE])
    expect(readableIn([], 'en')).toEqual([])
  })
})
