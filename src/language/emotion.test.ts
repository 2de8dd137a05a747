import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emotionScoreOf } from './emotion.ts'

describe('emotionScoreOf', () => {
  it.each([
    'Where is my order?',
    'I would like to return this',
    'Can you help me please',
    'good morning',
    '没问题',
    '垃圾桶有货吗',
    '你好',
    '这个好用吗',
    '',
  ])('%s is neutral', (text) => {
    expect(emotionScoreOf(text)).toBe(0)
  })

  it.each([
    'I am so angry right now!!!',
    'THIS IS UNACCEPTABLE!!! WORST SERVICE EVER',
    '你们就是骗子！！！',
    '气死我了😡',
    'fed up with your excuses',
    '态度恶劣，我要投诉',
  ])('%s is angry', (text) => {
    expect(emotionScoreOf(text)).toBeLessThanOrEqual(-0.7)
  })

  it.each(['I love it, thank you so much!', '非常满意，谢谢', 'not bad', '没想到太好了', '特别开心', '👍'])(
    '%s is glad',
    (text) => {
      expect(emotionScoreOf(text)).toBeGreaterThanOrEqual(0.4)
    },
  )

  it.each(['I am not happy', '不太满意', '我不是很开心', '一点也不好用'])('%s turns by its negation', (text) => {
    expect(emotionScoreOf(text)).toBeLessThan(0)
  })

  it('hears a fault reported calmly as almost calm', () => {
    expect(emotionScoreOf('东西坏了')).toBeGreaterThan(-0.4)
    expect(emotionScoreOf('The lamp is broken')).toBeGreaterThan(-0.4)
  })

  it('hears shouting, repeated marks and intensifiers', () => {
    expect(emotionScoreOf('this is really bad service')).toBeLessThan(emotionScoreOf('this is bad service'))
    expect(emotionScoreOf('this is bad service!!!')).toBeLessThan(emotionScoreOf('this is bad service'))
    expect(emotionScoreOf('THIS IS BAD SERVICE')).toBeLessThan(emotionScoreOf('this is bad service'))
    expect(emotionScoreOf('我的快递呢？？？')).toBeLessThan(0)
  })

  it('does not let a polite word outweigh anger', () => {
    expect(emotionScoreOf('Thanks a lot, you bunch of liars')).toBeLessThan(-0.5)
  })

  it('stays within -1 and 1', () => {
    const words = fc.constantFrom(
      'angry',
      'very',
      'not',
      'love',
      '!!!',
      '😡',
      '垃圾',
      '太',
      '不',
      '满意',
      'SCAM',
      ' ',
      '?',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
        expect(Math.abs(emotionScoreOf(parts.join(' ')))).toBeLessThanOrEqual(1)
      }),
    )
  })
})
