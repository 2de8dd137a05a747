import { describe, expect, it } from 'vitest'
import { createAnalyser } from './analyser.ts'
import { isStopWord } from './stop-words.ts'

const { words } = createAnalyser()
const telling = (text: string): string[] => words(text).filter((word) => !isStopWord(word))

describe('words', () => {
  it.each([
    ['5ghz', '5 GHz'],
    ['64GB', '64 gb'],
    ['2FA', '2-FA'],
    ['covid19', 'COVID-19'],
    ['10kg', '10 kg'],
  ])('are the same for a number glued to its unit and apart: %s, %s', (glued, apart) => {
    expect(words(glued)).toEqual(words(apart))
  })

  it.each(['1st', '22nd', '4g', 'h264'])('keep %s whole', (text) => {
    expect(words(text)).toHaveLength(1)
  })

  it.each([
    ['我想查一下账单', ['查', '账单']],
    ['你好，我想问一下关税是什么意思', ['关税']],
    ['hi, i was just wondering about customs, thanks', ['custom']],
  ])('tell what is asked from the frame around it: %s', (text, expected) => {
    expect(telling(text)).toEqual(expected)
  })
})
