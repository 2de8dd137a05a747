import { describe, expect, it } from 'vitest'
import { findReferences } from '../privacy/index.ts'
import { readOrderTalk } from './order-talk.ts'
import { scenesNamedIn } from './scenes.ts'

function sceneOf(text: string) {
  return readOrderTalk(text, findReferences(text)).scene
}

describe('sceneOf', () => {
  it.each([
    ['What is the status of order #W123456?', 'order_status'],
    ['Where is my package?', 'logistics'],
    ['我的快递到哪了', 'logistics'],
    ['怎么还没发货', 'logistics'],
    ['I want a refund', 'refund'],
    ['我要退货', 'refund'],
    ['退款怎么还没到账', 'refund'],
    ['Please cancel my order', 'cancel'],
    ['I also want to cancel the boots', 'cancel'],
    ['帮我取消订单', 'cancel'],
    ['I want to exchange the jacket for a bigger size', 'exchange'],
    ['Change the shipping address of my order', 'address'],
    ['地址写错了帮我改一下', 'address'],
  ])('%s is work of kind %s', (text, scene) => {
    expect(sceneOf(text)).toBe(scene)
  })

  it.each([
    'How long does delivery take?',
    'What is the return window?',
    'How do I cancel an order?',
    'Do you ship to Canada?',
    'Can I return an opened product?',
    'How do I reset my password?',
    'Is this jacket waterproof?',
    '怎么退货',
    '退款多久到账',
    '运费多少',
    '支持七天无理由退货吗',
    '刚买就降价了，可以退差价吗？',
    'The price dropped right after I bought it. Can I get the difference?',
  ])('%s is answered by the knowledge base', (text) => {
    expect(sceneOf(text)).toBe('none')
  })
})

describe('scenesNamedIn', () => {
  it('lists every kind of work, the one that takes precedence first', () => {
    expect(scenesNamedIn('return the shoes and cancel the lamp')).toEqual(['cancel', 'refund'])
  })
})
