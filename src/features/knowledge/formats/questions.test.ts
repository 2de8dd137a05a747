import { describe, expect, it } from 'vitest'
import { bareQuestion, isQuestion } from './questions.ts'

describe('isQuestion', () => {
  it.each([
    'How do I return an item?',
    'How to configure alerts',
    'What is a SIM card',
    "What's the fee",
    'Can I cancel my order',
    'Where can I find my invoice',
    '1.2 Why is my data slow?',
    'Q3: Delivery times?',
    '如何退货',
    '怎么联系客服',
    '什么是运费险',
    '发货需要多久',
    '3、为什么付款失败',
    '订单可以修改吗',
    '退款失败怎么办',
    '"Is it free?"',
    '是否支持 `SELECT FOR UPDATE`（?）？',
  ])('%s', (text) => expect(isQuestion(text)).toBe(true))

  it.each([
    'Returns',
    'What the user can do on their device',
    'Common Service Issues and Their Causes',
    'Howto collection',
    'Is',
    '退货政策',
    'DDL 执行被阻塞的原因',
    '可以退货的商品',
    '?',
    '',
    `${'long '.repeat(200)}?`,
  ])('not: %s', (text) => expect(isQuestion(text)).toBe(false))
})

it('bareQuestion drops numbers and markers', () => {
  expect(bareQuestion('3. Q1: How long?')).toBe('How long?')
  expect(bareQuestion('问题2：多久？')).toBe('多久？')
  expect(bareQuestion('How long?')).toBe('How long?')
})
