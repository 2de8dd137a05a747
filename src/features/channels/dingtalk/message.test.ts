import { describe, expect, it } from 'vitest'
import { dingtalkSessionKey, parseDingtalkBody } from './message.ts'

const base = {
  msgtype: 'text',
  text: { content: ' 退货怎么办 \n' },
  msgId: 'msg1',
  createAt: 1_577_262_236_000,
  conversationType: '2',
  conversationId: 'cid1',
  senderId: '$:LWCP_v1:$abc',
  senderNick: '小王',
  senderStaffId: 'staff1',
  chatbotUserId: 'bot1',
  isInAtList: true,
  atUsers: [{ dingtalkId: 'bot1' }],
  robotCode: 'robot1',
  sessionWebhook: 'https://oapi.dingtalk.com/robot/sendBySession?session=x',
  sessionWebhookExpiredTime: 1_577_267_636_000,
}

function parse(change: Record<string, unknown>) {
  return parseDingtalkBody(JSON.stringify({ ...base, ...change }))
}

describe('parseDingtalkBody', () => {
  it('reads a text message and trims it', () => {
    expect(parse({})).toEqual({
      messageId: 'msg1',
      messageType: 'text',
      content: { type: 'text', text: '退货怎么办' },
      createdAtMs: 1_577_262_236_000,
      conversationId: 'cid1',
      conversationType: 'group',
      senderId: '$:LWCP_v1:$abc',
      senderStaffId: 'staff1',
      senderNick: '小王',
      robotCode: 'robot1',
      isInAtList: true,
      webhook: { url: base.sessionWebhook, expiresAtMs: 1_577_267_636_000 },
    })
  })

  it.each([
    [
      { msgtype: 'audio', content: { recognition: ' 查物流 ', duration: 3 } },
      { type: 'voice', text: '查物流' },
    ],
    [{ msgtype: 'audio', content: { downloadCode: 'x' } }, { type: 'voice' }],
    [{ msgtype: 'picture', content: { downloadCode: 'x' } }, { type: 'image' }],
    [{ msgtype: 'file', content: { fileName: 'a.pdf' } }, { type: 'image' }],
    [
      { msgtype: 'richText', content: { richText: [{ text: '坏了' }, { downloadCode: 'x' }, { text: '，换一个' }] } },
      { type: 'text', text: '坏了，换一个' },
    ],
    [{ msgtype: 'richText', content: { richText: [{ downloadCode: 'x' }] } }, { type: 'image' }],
    [{ text: { content: '   ' } }, { type: 'text' }],
    [{ text: { content: 'a\0b\ud800' } }, { type: 'text', text: 'ab\ufffd' }],
  ])('reads the content of %j', (change, content) => {
    expect(parse(change).content).toEqual(content)
  })

  it('does without the fields that a one-to-one talk or an outside sender lacks', () => {
    const message = parse({
      conversationType: '1',
      senderStaffId: null,
      senderNick: undefined,
      robotCode: undefined,
      isInAtList: undefined,
      createAt: undefined,
      sessionWebhook: undefined,
    })
    expect(message).toMatchObject({
      conversationType: 'single',
      senderStaffId: null,
      senderNick: '',
      robotCode: 'bot1',
      isInAtList: false,
      createdAtMs: null,
      webhook: null,
    })
  })

  it('reads times given as digits in a string', () => {
    expect(parse({ createAt: '1577262236000' }).createdAtMs).toBe(1_577_262_236_000)
  })

  it.each([
    ['msgId', { msgId: undefined }],
    ['msgId', { msgId: 5 }],
    ['msgId', { msgId: ' ' }],
    ['msgId', { msgId: 'x'.repeat(257) }],
    ['msgtype', { msgtype: null }],
    ['conversationId', { conversationId: '' }],
    ['senderId', { senderId: {} }],
    ['senderStaffId', { senderStaffId: 7 }],
    ['conversationType', { conversationType: '3' }],
    ['text', { text: 'hello' }],
    ['text.content', { text: {} }],
    ['text.content', { text: { content: 1 } }],
    ['content', { msgtype: 'audio' }],
    ['content.recognition', { msgtype: 'audio', content: { recognition: [] } }],
    ['content.richText', { msgtype: 'richText', content: { richText: 'x' } }],
    ['createAt', { createAt: 'yesterday' }],
    ['createAt', { createAt: -1 }],
    ['sessionWebhook', { sessionWebhook: `https://${'x'.repeat(2048)}` }],
    ['sessionWebhookExpiredTime', { sessionWebhookExpiredTime: undefined }],
  ])('refuses a bad %s and names it', (name, change) => {
    expect(() => parse(change)).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'callback_field',
        message: expect.stringMatching(new RegExp(`^${name.replaceAll('.', '\\.')}:`)),
      }),
    )
  })

  it.each(['', '{', 'null', '[]', '"text"', '1'])('refuses the body %j', (body) => {
    expect(() => parseDingtalkBody(body)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'callback_json' }))
  })
})

describe('dingtalkSessionKey', () => {
  it('names the conversation and the staff id, or the sender id without one', () => {
    expect(dingtalkSessionKey(parse({}))).toBe('dingtalk:cid1:staff1')
    expect(dingtalkSessionKey(parse({ senderStaffId: undefined }))).toBe('dingtalk:cid1:$:LWCP_v1:$abc')
  })
})
