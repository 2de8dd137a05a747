import { describe, expect, it } from 'vitest'
import { fold } from '../../../language/fold.ts'
import { findEntities } from './entities.ts'
import { sensitiveTopicOf } from './sensitive.ts'

const topicOf = (text: string, limits = {}) => {
  const folded = fold(text)
  return sensitiveTopicOf(folded, findEntities(folded, text, []).amounts, limits)
}

describe('sensitiveTopicOf', () => {
  it.each([
    ['The charger caught fire', 'safety'],
    ['I burned my hand on the kettle', 'safety'],
    ['充电宝爆炸了', 'safety'],
    ['孩子用了过敏了', 'safety'],
    ['我被你们的插座电到了', 'safety'],
    ['手被台灯电了一下', 'safety'],
    ['充电宝鼓包了', 'safety'],
    ['插头烧焦了', 'safety'],
    ['孩子被扫地机器人夹伤了', 'safety'],
    ['the charger gave me a shock', 'safety'],
    ['the power bank is swollen', 'safety'],
    ['the plug melted', 'safety'],
    ['the kettle zapped my daughter', 'safety'],
    ['there were sparks coming out of the adapter', 'safety'],
    ['My lawyer will contact you', 'legal'],
    ['I will take you to court', 'legal'],
    ['我要打12315', 'legal'],
    ['不处理我就打12345！', 'legal'],
    ['等着收律师函', 'legal'],
    ['我的卡被盗刷了', 'fraud'],
    ['my account was hacked', 'fraud'],
    ['你们泄露了我的信息', 'privacy'],
  ])('%s is about %s', (text, topic) => {
    expect(topicOf(text)).toBe(topic)
  })

  it.each([
    'Do you have the Fire TV stick?',
    'Is it explosion proof?',
    'Is the kettle safe for children?',
    'Do you sell tennis court shoes?',
    'legal size paper',
    '过敏肌能用吗',
    'is it safe',
    '防触电吗',
    '充电宝会鼓包吗',
    '有漏电保护吗',
    '被电商平台坑了',
    'this lamp is shockingly good',
    'I was shocked by the price',
    '有防爆膜吗',
    '这个充电宝会爆炸吗',
    '你们会泄露我的信息吗',
    'Where is my order?',
    'My phone is 13812345678. Where is my order?',
    '我的手机号是13812345678',
    '查一下订单 2024051200012345',
    'Cancel order #12345',
  ])('%s is not', (text) => {
    expect(topicOf(text)).toBeNull()
  })

  it('sees a refund above the limit of its currency, and only a refund', () => {
    expect(topicOf('refund my $3,000')).toBe('refund_limit')
    expect(topicOf('退我一万元')).toBe('refund_limit')
    expect(topicOf('refund my $30')).toBeNull()
    expect(topicOf('Do you have a laptop for $3,000?')).toBeNull()
  })

  it('takes other limits', () => {
    expect(topicOf('refund my $30', { USD: 20 })).toBe('refund_limit')
    expect(topicOf('refund my $3,000', { USD: 5_000 })).toBeNull()
  })

  it('names the gravest topic first', () => {
    expect(topicOf('It caught fire, my lawyer will call you')).toBe('safety')
  })
})
