import { describe, expect, it } from 'vitest'
import { parseGlossary, parseSensitiveWords, readQualityLists } from './lists.ts'

describe('lists', () => {
  it('read words by category, without comments and byte order mark', () => {
    const text = '\ufeff# comment\nfirst\r\n\n[scam]\n  double your money  \n[abuse]\n白痴\n'
    expect(parseSensitiveWords(text)).toEqual([
      { word: 'first', category: 'general' },
      { word: 'double your money', category: 'scam' },
      { word: '白痴', category: 'abuse' },
    ])
  })

  it('read a term with its alternatives', () => {
    expect(parseGlossary('# terms\n退货期限,return window， 退货时间\nwarranty\n,\n')).toEqual([
      { term: '退货期限', forms: ['退货期限', 'return window', '退货时间'] },
      { term: 'warranty', forms: ['warranty'] },
    ])
  })

  it('ship with the product, in Chinese and English', () => {
    const { sensitiveWords, glossary } = readQualityLists()
    const words = sensitiveWords.map(({ word }) => word)
    expect(words).toContain('赌博')
    expect(words).toContain('gambling')
    expect(new Set(words).size).toBe(words.length)
    expect(glossary).toEqual([])
  })

  it('say which file cannot be read', () => {
    expect(() => readQualityLists({ glossary: '/no/such/file' })).toThrow('/no/such/file')
  })
})
