import { describe, expect, it } from 'vitest'
import { createAnalyser } from '../../../language/words/analyser.ts'
import { questionKey } from './question-key.ts'

const analyser = createAnalyser()
const key = (question: string) => questionKey(question, analyser)

describe('the key of a question', () => {
  it.each([
    ['How do I return an item?', 'how do i return   an ITEM'],
    ['How do I return an item?', 'Hello, how do I return items please!'],
    ['可以退货吗？', '請問可以退貨嗎'],
    ['您的地址在哪里', '你的地址在哪里？'],
    ['Ｉｓ shipping ｆｒｅｅ', 'Is shipping free?'],
    ['???', '???'],
    ['保修期多久……', '保修期，多久'],
    ['Is it free', 'Is it free.'],
  ])('is one for %j and %j', (a, b) => {
    expect(key(a)).toBe(key(b))
  })

  it.each([
    ['Which items can I return?', "Which items can't I return?"],
    ['Which items can I return?', 'Which items can I not return?'],
    ['How do I return an item?', 'Why do I return an item?'],
    ['What is your address?', 'What is my address?'],
    ['Return before 30 days', 'Return after 30 days'],
    ['Return after 30 days', 'Return after 15 days'],
    ['from Berlin to Rome', 'from Rome to Berlin'],
    ['Is there a C++ client?', 'Is there a C# client?'],
    ['Is there a C client?', 'Is there a C++ client?'],
    ['Orders over $5', 'Orders over 5%'],
    ['1.5 kg', '15 kg'],
    ['1.5 kg', '1 5 kg'],
    ['可以退货吗', '不可以退货吗'],
    ['发货吗', '发货了吗'],
    ['为什么退货', '怎么退货'],
    ['你的', '我的'],
    ['???', '!!!'],
    ['a', 'the'],
    ['Is C++ better than C?', 'Is C better than C++?'],
    ['Is 1,5 kg fine', 'Is 1 5 kg fine'],
    ['10 m² of cloth', '10 m2 of cloth'],
    ['résumé', 'resume'],
    ['our shell', "our she'll"],
    ['保修期多久', '保修期多久👍'],
    ['Is it (really) free?', 'Is it really free?'],
    [`a${'b'.repeat(60)}`, `a${'b'.repeat(61)}`],
    ['warranty\u{E0041}?', 'warranty?'],
    ['war\u200branty?', 'warranty?'],
  ])('tells %j from %j', (a, b) => {
    expect(key(a)).not.toBe(key(b))
  })
})
