import { expect, it } from 'vitest'
import { terms } from '../../../../test/support/turns.ts'
import { speaksOf } from './subject.ts'

const DEVICES = 'Do you sell refurbished devices?\nYes. Officially refurbished devices cost at least 20% less.'

it.each([
  ['Do you sell horses?', DEVICES, false],
  ['can i pay in bitcoin', 'Pay and subscribe\nYou can pay by credit card.', false],
  ['Do you sell refurbished devices?', DEVICES, true],
  ['how do I erase my account', 'Delete your account\nIn the settings choose Delete.', true],
  ['可以用比特币付款吗', '付款方式\n可以用支付宝、微信付款。', false],
  ['怎么升级金灯', '怎样升级设备固件？\n在 App 的设备页点「固件升级」。', false],
  ['积分怎么用', '积分规则\n每 100 积分抵 ¥1。', true],
  ['How long can I return headphones', 'Electronics such as headphones can be returned within 15 days.', true],
  ['How long is the cable?', 'Cables\nThe cable measures 2 m.', true],
  ['Do you have a long cable?', 'Cables\nThe cable measures 2 m.', false],
  ['电池多大', '扫地机器人\n电池容量 5200 mAh。', true],
  ['屏幕多大', '扫地机器人\n电池容量 5200 mAh。', false],
  ['', DEVICES, true],
])('%s: %#', (question, passage, expected) => {
  expect(speaksOf(passage, question, terms)).toBe(expected)
})

it('leaves a question of many words to its score', () => {
  expect(speaksOf(DEVICES, 'my neighbour wants to know whether you also sell horses and ponies', terms)).toBe(true)
})
