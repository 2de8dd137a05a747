import { describe, expect, it } from 'vitest'
import { fold } from './fold.ts'
import { namedIn, productsIn } from './products.ts'

const SHOP = [
  'Lantern One Desk Lamp',
  'Hush Headphones',
  'Spark Power Bank',
  'Guard Smart Lock',
  'Breeze Air Purifier',
  'Breeze Original Filter',
  'Perch Office Chair',
]
const LADEN = [
  'Lantern One 智能台灯',
  'Sweep S2 扫地机器人',
  'Perch 人体工学椅',
  'Breeze 空气净化器',
  'Breeze 原装滤芯',
]

describe('namedIn', () => {
  it.each([
    ['I want to return the lamp', ['Lantern One Desk Lamp']],
    ['headfones broke', ['Hush Headphones']],
    ['my power bank', ['Spark Power Bank']],
    ['breeze stuff', ['Breeze Air Purifier', 'Breeze Original Filter']],
    ['the lock and the chairs', ['Guard Smart Lock', 'Perch Office Chair']],
    ['is it smart to send one to my office, please look', []],
    ['which bank', []],
  ])('%s', (text, expected) => {
    expect(namedIn(text, SHOP).map((index) => SHOP[index])).toEqual(expected)
  })

  it.each([
    ['台灯我想退掉', ['Lantern One 智能台灯']],
    ['那个扫地的坏了', ['Sweep S2 扫地机器人']],
    ['椅子換黑色', ['Perch 人体工学椅']],
    ['净化器的滤芯到哪了', ['Breeze 原装滤芯']],
    ['我不想跟机器人说话', []],
  ])('%s', (text, expected) => {
    expect(namedIn(text, LADEN).map((index) => LADEN[index])).toEqual(expected)
  })

  it('takes of two with the same noun the one that more words fit', () => {
    expect(namedIn('where is my tea kettle', ['Electric Kettle', 'Tea Kettle'])).toEqual([1])
    expect(namedIn('where is my kettle', ['Electric Kettle', 'Tea Kettle'])).toEqual([0, 1])
  })
})

describe('productsIn', () => {
  it.each([
    ['cancel the kettle', ['kettle']],
    ['I want to return the lamp and the air purifier I ordered', ['lamp', 'air purifier']],
    ['帮我把投影仪取消了', ['投影仪']],
    ['我的洗衣机到哪了', ['洗衣机']],
    ['cancel my order please', []],
    ['订单给我取消掉，立刻！马上！', []],
    ['我不喜欢这个颜色，想退', []],
  ])('%s', (text, expected) => {
    expect(productsIn(fold(text))).toEqual(expected)
  })
})
