import { describe, expect, it } from 'vitest'
import { findReferences } from '../privacy/index.ts'
import { asAddress, readOrderTalk } from './order-talk.ts'

function talkOf(message: string) {
  return readOrderTalk(message, findReferences(message))
}

describe('the scene', () => {
  it.each([
    ['Where is order #W2611340?', 'order_status'],
    ['订单 W2611340 到哪了', 'logistics'],
    ['#W2611340', 'order_status'],
    ['where is my package', 'logistics'],
    ['我的快递怎么还没到', 'logistics'],
    ['查一下我的物流', 'logistics'],
    ['I want my money back for the lamp', 'refund'],
    ['我要退款', 'refund'],
    ['I cancelled #W2611340, where is my refund?', 'refund'],
    ['please cancel my order', 'cancel'],
    ['帮我取消订单', 'cancel'],
    ['was my order #W2611340 cancelled?', 'order_status'],
    ["don't cancel order #W2611340", 'order_status'],
    ['I want to exchange the shirt I bought for a different size', 'exchange'],
    ['我想换货', 'exchange'],
    ['change my shipping address', 'address'],
    ['修改收货地址，我的订单', 'address'],
    ['what is the email on my account', 'account'],
    ['我的余额是多少', 'account'],
    ['What is your return policy?', 'none'],
    ['How long does delivery take?', 'none'],
    ['How do I return an item?', 'none'],
    ['退货政策是什么', 'none'],
    ['怎么退货', 'none'],
    ['运费多少', 'none'],
    ['I forgot the password of my account', 'none'],
    ['hello', 'none'],
    ['你好', 'none'],
  ])('%s is %s', (query, scene) => {
    expect(talkOf(query).scene).toBe(scene)
  })
})

describe('findReferences', () => {
  it('takes order numbers in their writings, each once', () => {
    const keys = (query: string) => findReferences(query).map((reference) => reference.key)
    expect(keys('#W2611340, w2611340 and order no: AB-778899')).toEqual(['W2611340', 'AB-778899'])
    expect(keys('订单２０２４０１１５１２３４５６７８怎么样')).toEqual(['2024011512345678'])
    expect(keys('113-1234567-1234567 please')).toEqual(['113-1234567-1234567'])
  })

  it('does not take phones, dates, amounts, e-mails or cards for one', () => {
    const text = 'call 13800138000 on 2024-01-15 about $123456.00, ab12345@example.com or 4111111111111111'
    expect(findReferences(text)).toEqual([])
  })
})

describe('addresses', () => {
  const addressIn = (message: string) => talkOf(message).address.text

  it('reads the address that a message states', () => {
    expect(addressIn('change the address of order #W1234567 to 12 Elm Street, Denver, CO 80279.')).toBe(
      '12 Elm Street, Denver, CO 80279',
    )
    expect(addressIn('地址改成浙江省杭州市文三路478号')).toBe('浙江省杭州市文三路478号')
    expect(addressIn('I want to change my address')).toBeNull()
    expect(asAddress('what do you mean?')).toBeNull()
  })
})

it.each([
  ['第二个', 1],
  ['the last one', -1],
  ['option 3', 2],
  ['I mean the second', 1],
  ['② ', 1],
  ['one lamp', null],
  ['2 weeks', null],
])('%s chooses %s', (message, choice) => {
  expect(talkOf(message).choice).toBe(choice)
})

it('says whose address is meant, and takes a stated place for a change of one', () => {
  expect(talkOf('set my default address to 5 Orchard Road, Singapore 238823').address.of).toBe('account')
  expect(talkOf('W6136071 的地址改成 广州市越秀区中山路 5 号').address.of).toBe('order')
  expect(talkOf('改成 苏州市姑苏区平江路 88 号')).toMatchObject({ scene: 'address', asks: 'change' })
  expect(talkOf('换成大号的黑色')).toMatchObject({ scene: 'exchange' })
})

it('knows what is asked of one scene', () => {
  expect(talkOf('一直没收到退款').asks).toBe('money')
  expect(talkOf('my orders').asks).toBe('list')
  expect(talkOf('did it go through').asks).toBe('outcome')
  expect(talkOf('how is my exchange going?').asks).toBe('progress')
  expect(talkOf('取消订单').asks).toBe('change')
})
