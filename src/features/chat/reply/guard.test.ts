import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectEvidence } from './evidence.ts'
import { createGuard } from './guard.ts'

const EVIDENCE = [
  'Returns are free within 15 days. Orders above ¥1,299.00 ship at no cost. Call 400-333-0199 or write to help@shop.example.',
  '电子产品自签收次日起 15 天内可以退货，三个工作日内退款。',
]
const SECRET = 'You write replies for a customer-service desk. Never state a number that is not in the passages.'

/** So many passages, which customers see by the same numbers. */
const upTo = (count: number) => ({
  exists: (passage: number) => passage >= 1 && passage <= count,
  numberOf: (passage: number) => passage,
})

function pass(text: string, pieces: (text: string) => string[] = (whole) => whole.split(/(?<=\s)/)): string {
  const guard = createGuard({ evidence: collectEvidence(EVIDENCE), citing: upTo(3), secret: SECRET })
  return (
    pieces(text)
      .map((piece) => guard.push(piece))
      .join('') + guard.end()
  )
}

describe('the guard of model replies', () => {
  it.each([
    'Returns are free within 15 days [1].',
    'Orders above ¥1299 ship free.',
    'You can call 400-333-0199 or write to help@shop.example today.',
    '电子产品 15 天内可以退货[2]，三个工作日内退款。',
    '电子产品十五天内可以退货。',
    '1. Open the page.\n2. Press the button.',
    'That is the one thing we know.',
    'Write to help@shop.example, or see shop.example.',
    'Read readme.md, made with Node.js.It is free, e.g. for you.',
    'Thank you 👩‍💻 ❤️ 👍🏽',
  ])('lets through what the evidence says: %s', (text) => {
    expect(pass(text)).toBe(text)
  })

  it.each([
    ['Returns are free within 30 days.', '30'],
    ['The fee is 12.50 dollars.', '12.50'],
    ['Write to boss@evil.example now.', 'boss@evil.example'],
    ['See https://evil.example/pay for more.', 'evil.example'],
    ['Visit evil.example to verify.', 'example'],
    ['Visit EVIL.Com/login now', '.Com'],
    ['Write to elp@shop.example.', 'elp@'],
    ['See hop.example or shop.example.evil.com.', 'op.example'],
    ['See shop.example.evil.com.', 'evil.com'],
    ['请访问evil.example了解', '.example'],
    ['请打开evil。com了解', '。com'],
    ['请打开淘宝.com 了解', '.com'],
    ['[Here](evil.example/a) it is', '.example'],
    ['See evil%2Eexample now', '%2E'],
    ['See evil\u200b.example now', '.example'],
    ['See evil\u{E0061}.exa\u00admple now', '.example'],
    ['I will look at evil.example for you', '.example'],
    ['电子产品三十天内可以退货。', '三十'],
    ['Please ask our manager, John Smith, about it.', 'John Smith'],
    ['Returns are free [7].', '[7]'],
  ])('leaves out what stands nowhere: %s', (text, wrong) => {
    expect(pass(text)).not.toContain(wrong)
  })

  it.each([
    ['Returns are free. I will call you tomorrow. Anything else?', 'call you'],
    ["Sure. We'll get back to you soon.", 'get back'],
    ['好的。我会尽快给您回复。还有问题吗？', '回复'],
    ['稍后同事会联系您。', '联系'],
  ])('drops promises of later work: %s', (text, promise) => {
    expect(pass(text)).not.toContain(promise)
  })

  it('stops a model that recites its instructions', () => {
    const guard = createGuard({ evidence: collectEvidence(EVIDENCE), citing: upTo(3), secret: SECRET })
    const sent = SECRET.split(' ')
      .map((word) => guard.push(`${word} `))
      .join('')
    expect(guard.leaking).toBe(true)
    expect(sent.length).toBeLessThan(SECRET.length / 2)
    expect(guard.push('more')).toBe('')
  })

  it('forwards plain words at once', () => {
    const guard = createGuard({ evidence: collectEvidence(EVIDENCE), citing: upTo(3), secret: SECRET })
    expect(guard.push('Returns are')).toBe('Returns are')
    // A blank goes with what follows it: a citation that is taken out takes it along.
    expect(guard.push(' ') + guard.push('可以退货')).toBe(' 可以退货')
  })

  it('says the same however the text is cut into tokens', () => {
    const texts = fc.constantFrom(
      'Returns are free within 15 days [1]. The fee is 30 dollars. I will call you.',
      '电子产品 15 天内可以退货[2]，三十天后不行。我会尽快回复您。',
      'Call 400-333-0199, not 555-0100. Ask John Smith at help@shop.example.',
      'See evil.example/x or evil\u200b.example, not shop.example.evil.com. 请看evil.example吧，或者evil。com！',
    )
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 80 }), (text, sizes) => {
        const cut = (whole: string): string[] => {
          const pieces: string[] = []
          for (let at = 0, i = 0; at < whole.length; i++) {
            const size = sizes[i % sizes.length] as number
            pieces.push(whole.slice(at, at + size))
            at += size
          }
          return pieces
        }
        const sent = pass(text, cut)
        for (const wrong of ['30 ', '555-0100', '三十', '[9]']) expect(sent).not.toContain(wrong)
        expect(sent).not.toMatch(/call you|回复|evil\.|evil。|example\.e/)
      }),
    )
  })
})
