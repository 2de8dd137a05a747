import { describe, expect, it } from 'vitest'
import { DINGTALK_TEXT_BYTES, markdownReply, textReplies, textReply } from './reply.ts'

describe('textReply', () => {
  it('has the documented shape', () => {
    expect(textReply('您好', ['staff1'])).toEqual({
      msgtype: 'text',
      text: { content: '您好' },
      at: { atUserIds: ['staff1'], isAtAll: false },
    })
    expect(textReply('您好')).toMatchObject({ at: { atUserIds: [], isAtAll: false } })
  })
})

describe('markdownReply', () => {
  it('has the documented shape', () => {
    expect(markdownReply('# Returns\n\nWithin 30 days.', 'Help')).toEqual({
      msgtype: 'markdown',
      markdown: { title: 'Help', text: '# Returns\n\nWithin 30 days.' },
    })
  })

  it.each([
    ['\n\n## 退货 **说明**\n正文', '退货 说明'],
    [`${'😀'.repeat(50)}a`, '😀'.repeat(40)],
    ['---', '·'],
  ])('takes the title of %j from its first words', (text, title) => {
    expect(markdownReply(text)).toMatchObject({ markdown: { title } })
  })
})

describe('textReplies', () => {
  it('spreads a long text over messages that DingTalk takes, in order, and notifies once', () => {
    const text = '一二三四五六七八九十\n"'.repeat(1000)
    const replies = textReplies(text, ['staff1'])
    expect(replies.map((reply) => (reply.msgtype === 'text' ? reply.text.content : '')).join('')).toBe(text)
    for (const reply of replies) expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(20_000)
    expect(replies.map((reply) => (reply.msgtype === 'text' ? reply.at.atUserIds : []))).toEqual([
      ['staff1'],
      ...replies.slice(1).map(() => []),
    ])
  })

  it('leaves room for the worst that JSON escaping does to control-free text', () => {
    const [reply] = textReplies('"'.repeat(DINGTALK_TEXT_BYTES))
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(20_000)
  })

  it('is empty for a blank text', () => {
    expect(textReplies(' \n')).toEqual([])
  })
})
