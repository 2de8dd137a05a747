import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asQuestion, fitness, type QuestionCandidate } from './questions.ts'

const usual = { likeness: 0.8, asks: false, words: 5, slips: 0, isUnderstood: true }
const worth = (text: string, more: Partial<QuestionCandidate> = {}) => fitness({ text, ...usual, ...more })

describe('a sentence that stands for many', () => {
  it('asks rather than tells', () => {
    const told = worth('The remote does not pair')
    expect(worth('How do I pair the remote?')).toBeGreaterThan(told)
    expect(worth('遥控器怎么配对')).toBeGreaterThan(worth('遥控器配对'))
    expect(worth('The remote does not pair', { asks: true })).toBeGreaterThan(told)
  })

  it('is near the middle, says enough, holds no slip', () => {
    const one = worth('The remote does not pair')
    expect(worth('The remote does not pair', { likeness: 0.9 })).toBeGreaterThan(one)
    expect(worth('The remote does not pair', { words: 1 })).toBeLessThan(one)
    expect(worth('The remtoe does not pair', { slips: 1 })).toBeLessThan(one)
  })

  it('shows nothing that was masked, and is no essay', () => {
    expect(worth('Where is order 4978877?')).toBe(0)
    expect(worth('Where is order 49778 of j***@example.com?')).toBe(0)
    expect(worth(`Where is it ${'x'.repeat(200)}?`)).toBe(0)
  })

  it('is polite: no insult stands for others, and a calm sentence rather than a complaint', () => {
    for (const insult of [
      'You idiots broke my remote',
      'This damn remote is garbage!!!',
      '垃圾遥控器，骗子',
      '你们这群骗子，退钱！！！',
    ]) {
      expect([insult, worth(insult)]).toEqual([insult, 0])
    }
    expect(worth('I am so disappointed that the remote does not pair')).toBeLessThan(worth('The remote does not pair'))
    expect(worth('遥控器配对不上，太让人失望了')).toBeLessThan(worth('遥控器配对不上'))
  })

  it('says something of the matter', () => {
    const vague = [
      'I have a problem',
      'I have a quick question',
      "I'm having an issue here",
      'Another issue',
      '我有个问题想咨询一下',
      '想咨询一下',
      '这边遇到点问题',
    ]
    for (const text of vague) expect([text, worth(text)]).toEqual([text, 0])
    expect(worth('asdf 29', { words: 1, isUnderstood: false })).toBe(0)
    expect(worth('I have a problem with the remote')).toBeGreaterThan(0)
    expect(worth('我有个遥控器的问题')).toBeGreaterThan(0)
  })

  it('is understood by itself, and is not about one day or one customer', () => {
    const alone = worth('How do I pair the remote?')
    for (const text of [
      'And the other one?',
      'What about the blue one?',
      'How do I pair it?',
      'Any news on the remote?',
      'As I said, how do I pair the remote?',
    ]) {
      expect([text, worth(text) < alone / 2]).toEqual([text, true])
    }
    expect(worth('那蓝色的呢？')).toBeLessThan(worth('遥控器怎么配对？') / 2)
    expect(worth('上次说的遥控器怎么配对？')).toBeLessThan(worth('遥控器怎么配对？') / 2)
    expect(worth('Can you cancel the billing on Jun 1st?')).toBeLessThan(worth('Can you cancel the billing?'))
    expect(worth('Remote not pairing', { asks: true })).toBeLessThan(worth('The remote is not pairing', { asks: true }))
  })
})

describe('a question of its own', () => {
  it.each([
    ['how do I pair the remote,  ', 'How do I pair the remote?'],
    ['Why does the lamp flicker.', 'Why does the lamp flicker?'],
    ['um, can I pay my bill please', 'Can I pay my bill?'],
    ['Can I change my billing frequency please?', 'Can I change my billing frequency?'],
    ['I want to add a dependent to my plan.', 'How do I add a dependent to my plan?'],
    ["I'd like to cancel my plan please, thanks!", 'How do I cancel my plan?'],
    ['Please cancel the membership', 'Can you cancel the membership?'],
    ['Send me a new invoice!!', 'Can you send me a new invoice?'],
    ['iPhone does not connect', 'iPhone does not connect: what can I do?'],
    ['I need to change my address, I moved', 'I need to change my address, I moved: what can I do?'],
    ['I typed it wrong, is the money gone', 'I typed it wrong, is the money gone?'],
    ['遥控器怎么配对，', '遥控器怎么配对？'],
    ['App 一点结算就闪退。拜托了🙏', 'App 一点结算就闪退，怎么办？'],
    ['物流好几天了一直不更新！！！', '物流好几天了一直不更新，怎么办？'],
    ['请重新开一张发票。谢谢', '请重新开一张发票，可以吗？'],
    ['把他从群里移掉', '怎么把他从群里移掉？'],
    ['我的案子有结果了没', '我的案子有结果了没？'],
    ['这台机子用不用得了电子号', '这台机子用不用得了电子号？'],
  ])('of %j is %j', (text, question) => expect(asQuestion(text)).toBe(question))

  it('ends as one, begins with no space or small letter, and stays as it is', () => {
    const word = fc.constantFrom(
      'i',
      'want',
      'to',
      'my',
      'lamp',
      'please',
      'is',
      'broken',
      '台灯',
      '坏了',
      '怎么',
      '请',
      ',',
      '.',
      '!',
      '。',
      '?',
      '🙏',
    )
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const text = words.join(' ')
        fc.pre(/[\p{L}]/u.test(text))
        const question = asQuestion(text)
        expect(question).toMatch(/^(?=\S)[\s\S]*[^\s,，.。!！?？][?？]$/u)
        expect(question).not.toMatch(/^[a-z](?![A-Z])/)
        expect(asQuestion(question)).toBe(question)
      }),
    )
  })
})
