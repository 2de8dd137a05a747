import { describe, expect, it } from 'vitest'
import type { NeutralMessage } from '../channel.ts'
import { readWechatMessage } from './message.ts'

const base = { ToUserName: 'gh_shop', FromUserName: 'o-customer', CreateTime: '1714037059', MsgId: '987' }

function read(fields: Record<string, string>) {
  return readWechatMessage(new Map(Object.entries({ ...base, ...fields })))
}

const cases: [Record<string, string>, NeutralMessage][] = [
  [
    { MsgType: 'text', Content: ' 你好 ' },
    { type: 'text', text: '你好' },
  ],
  [{ MsgType: 'image', PicUrl: 'http://p', MediaId: 'm' }, { type: 'image' }],
  [
    { MsgType: 'voice', MediaId: 'm', Format: 'amr', Recognition: '查订单' },
    { type: 'voice', text: '查订单' },
  ],
  [{ MsgType: 'voice', MediaId: 'm', Format: 'amr' }, { type: 'voice' }],
  [{ MsgType: 'video', MediaId: 'm', ThumbMediaId: 't' }, { type: 'image' }],
  [{ MsgType: 'shortvideo', MediaId: 'm', ThumbMediaId: 't' }, { type: 'image' }],
  [
    { MsgType: 'location', Location_X: '23.1', Location_Y: '113.3', Scale: '20', Label: '广州' },
    { type: 'text', text: '广州 (23.1, 113.3)' },
  ],
  [
    { MsgType: 'link', Title: 'T', Description: '', Url: 'https://u' },
    { type: 'text', text: 'T\nhttps://u' },
  ],
  [
    { MsgType: 'event', Event: 'CLICK', EventKey: 'menu_1' },
    { type: 'event', text: 'CLICK:menu_1' },
  ],
  [{ MsgType: 'hologram' }, { type: 'event', text: 'hologram' }],
  [{ MsgType: 'constructor' }, { type: 'event', text: 'constructor' }],
]

describe('readWechatMessage', () => {
  it.each(cases)('reads %j', (fields, content) => {
    const message = read(fields)
    expect(message.content).toEqual(content)
    expect(message).toMatchObject({ toUser: 'gh_shop', fromUser: 'o-customer', createdAtSeconds: 1_714_037_059 })
  })

  it('drops what a database cannot store from the text', () => {
    expect(read({ MsgType: 'text', Content: 'a\0b' }).content).toEqual({ type: 'text', text: 'ab' })
  })

  it.each([
    ['FromUserName', ''],
    ['ToUserName', ''],
    ['MsgType', ''],
    ['MsgId', ''],
    ['FromUserName', 'x'.repeat(129)],
    ['FromUserName', 'a\0b'],
    ['CreateTime', 'yesterday'],
  ])('refuses %s = %j and names it', (name, value) => {
    const refused = expect.objectContaining({
      kind: 'invalid',
      code: 'callback_field',
      message: expect.stringContaining(name),
    })
    expect(() => read({ MsgType: 'text', Content: 'x', [name]: value })).toThrow(refused)
  })
})

describe('dedupeKey', () => {
  it('is equal for a retry and differs in sender, message id and time', () => {
    const first = read({ MsgType: 'text', Content: 'a' }).dedupeKey
    expect(read({ MsgType: 'text', Content: 'a' }).dedupeKey).toBe(first)
    for (const other of [{ FromUserName: 'o-2' }, { MsgId: '988' }, { CreateTime: '1714037060' }]) {
      expect(read({ MsgType: 'text', Content: 'a', ...other }).dedupeKey).not.toBe(first)
    }
  })

  it('needs no message id for an event and tells two events of one second apart', () => {
    const event = (name: string) => {
      const { MsgId: _, ...rest } = base
      return readWechatMessage(new Map(Object.entries({ ...rest, MsgType: 'event', Event: name })))
    }
    expect(event('subscribe').messageId).toBeNull()
    expect(event('subscribe').dedupeKey).toBe(event('subscribe').dedupeKey)
    expect(event('subscribe').dedupeKey).not.toBe(event('LOCATION').dedupeKey)
  })
})
