import { describe, expect, it } from 'vitest'
import { fold } from './fold.ts'
import { languageOf, replyLanguageOf } from './languages.ts'

describe('languageOf', () => {
  it.each([
    ['Where is my order', 'en'],
    ['我的订单', 'zh'],
    ['請問我的訂單在哪裡', 'zh'],
    ['iPhone 15 有货吗', 'zh'],
    ['app打不开', 'zh'],
    ['帮我cancel掉今天早上的order', 'mixed'],
    ['可以ship到Singapore吗', 'mixed'],
    ['Où est ma commande?', 'other'],
    ['¿dónde está mi pedido?', 'other'],
    ['Wo ist meine Bestellung', 'other'],
    ['أين طلبي', 'other'],
    ['私の注文はどこですか', 'other'],
    ['где мой заказ', 'other'],
  ])('%s is %s', (text, language) => {
    expect(languageOf(fold(text))).toBe(language)
  })
})

describe('replyLanguageOf', () => {
  it('answers mixed messages in Chinese', () => {
    expect(replyLanguageOf(fold('我的order到哪了please'), [])).toBe('zh')
  })

  it('takes the language of earlier messages when this one has none', () => {
    expect(replyLanguageOf('#w1234567', ['where is my parcel', '我的快递呢'])).toBe('zh')
    expect(replyLanguageOf('👍', ['我的快递呢', 'thanks'])).toBe('en')
  })

  it('falls back to English when nobody wrote a word', () => {
    expect(replyLanguageOf('12345', ['?', ''])).toBe('en')
  })
})
