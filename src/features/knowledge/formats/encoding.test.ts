import { describe, expect, it } from 'vitest'
import { encodeLegacy, encodeUtf16 } from '../../../../test/support/files/encode-legacy.ts'
import { decodeText } from './encoding.ts'

const SIMPLIFIED = '如何退货？七天内可以退货，请保留包装并联系客服。'
const TRADITIONAL = '如何退貨？七天內可以退貨，請保留包裝並聯繫客服。運費由買家負擔。'
const JAPANESE = '返品はどうすればいいですか？商品到着後7日以内にご連絡ください。'
const KOREAN = '반품은 어떻게 하나요? 상품을 받은 후 7일 이내에 연락해 주세요.'
const RUSSIAN = 'Как вернуть товар? Вы можете вернуть товар в течение тридцати дней после покупки.'
const FRENCH =
  'Comment retourner un article ? Vous pouvez le renvoyer sous trente jours à compter de la réception, frais inclus.'

describe('decodeText', () => {
  it.each([
    ['gb18030', SIMPLIFIED],
    ['gb18030', '退货政策'],
    ['gb18030', '问：运费多少？\n答：十元。'],
    ['gb18030', `${'An English preamble in a long file. '.repeat(200)}\n${SIMPLIFIED}`],
    ['gb18030', 'question,answer\nHow to pay?,支付宝或微信\n'],
    ['big5', TRADITIONAL],
    ['shift_jis', JAPANESE],
    ['euc-kr', KOREAN],
    ['windows-1251', RUSSIAN],
    ['windows-1252', FRENCH],
  ])('recognises %s by its bytes (%#)', (encoding, text) => {
    expect(decodeText(encodeLegacy(text, encoding)).text).toBe(text)
  })

  it.each(['le', 'be'] as const)('reads UTF-16 %s with and without its mark', (order) => {
    const text = 'Question: how long? 问题：多久\nAnswer: 7 days.'
    expect(decodeText(encodeUtf16(text, order, true)).text).toBe(text)
    expect(decodeText(encodeUtf16(text, order, false)).text).toBe(text)
  })

  it('drops the UTF-8 mark', () => {
    expect(decodeText(new TextEncoder().encode('\uFEFF标题')).text).toBe('标题')
  })

  it('takes valid UTF-8 for what it is, even where a page declares otherwise', () => {
    const page = '<meta charset="gbk"><p>退货</p>'
    expect(decodeText(new TextEncoder().encode(page))).toEqual({ text: page, encoding: 'utf-8' })
  })

  it('follows the charset that a page declares', () => {
    const page = '<html><head><meta http-equiv="Content-Type" content="text/html; charset=big5"></head>退'
    expect(decodeText(encodeLegacy(page, 'big5'))).toEqual({ text: page, encoding: 'big5' })
  })

  it('ignores a declared charset that nobody knows', () => {
    const page = `<meta charset="klingon"><p>${SIMPLIFIED}</p>`
    expect(decodeText(encodeLegacy(page, 'gb18030')).text).toBe(page)
  })
})
