import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sentenceEnds, splitSentences } from './sentences.ts'

describe('splitSentences', () => {
  it.each([
    ['My parcel is late. Where is it? Please help!', ['My parcel is late.', 'Where is it?', 'Please help!']],
    ['我的快递还没到。已经一周了！能查一下吗？', ['我的快递还没到。', '已经一周了！', '能查一下吗？']],
    ['It cost 3.50 at shop.example.com', ['It cost 3.50 at shop.example.com']],
    ['first line\nsecond line', ['first line', 'second line']],
    ['...\n!!! ？', []],
    ['', []],
    ['It says No. 5 on the box. I said no. Then what', ['It says No. 5 on the box.', 'I said no.', 'Then what']],
    ['Mr. Smith ordered it, e.g. by phone', ['Mr. Smith ordered it, e.g. by phone']],
    ['hello!can you help', ['hello!', 'can you help']],
    ['see https://shop.example/faq?id=5 please', ['see https://shop.example/faq?id=5 please']],
    ['“退了吗？”他问。好的', ['“退了吗？”', '他问。', '好的']],
    ['退货;换货 and one; two', ['退货;', '换货 and one; two']],
    ['👍\n\n----', ['👍']],
  ])('%j', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences)
  })
})

describe('sentenceEnds', () => {
  it('ascend and lie within the text, whatever it is', () => {
    const text = fc.array(
      fc.constantFrom('a', '好', '.', '。', '!', '?', ';', '…', '"', ')', ' ', '\n', '3', 'no', '/'),
    )
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.join('')
        const ends = [0, ...sentenceEnds(whole)]
        expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b))
        expect(ends.at(-1)).toBeLessThanOrEqual(whole.length)
      }),
    )
  })
})
