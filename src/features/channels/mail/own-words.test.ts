import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownWords } from './own-words.ts'

const WORDS = 'Where is my parcel?\nIt was due on Monday.'
const CHINESE = '我的包裹到哪里了？\n周一就该到了。'

describe('quotes', () => {
  it.each([
    'On Mon, Nov 23, 2026 at 9:14 AM Shop <help@shop.example> wrote:\n> Hello\n> there',
    'On Mon, Nov 23, 2026 at 9:14 AM Shop Customer Service Department\n<help@shop.example> wrote:\n> Hello',
    '-----Original Message-----\nFrom: Shop <help@shop.example>\nSent: Monday\nTo: me\nSubject: Re: Parcel\n\nHello there',
    '---- Original Message ----\nanything',
    '________________________________\nFrom: Shop <help@shop.example>\nSent: Monday\nTo: me\nSubject: Re: Parcel\n\nHello',
    'From: Shop <help@shop.example>\nDate: Monday\nTo: me\nSubject: Re: Parcel\n\nHello',
    '*From:* Shop <help@shop.example>\n*Sent:* Monday\n*To:* me\n*Subject:* Re: Parcel\n\nHello',
    '> Hello\n> there',
    'Am 23.11.2026 um 09:14 schrieb Shop:\n> Hallo',
    'Le lun. 23 nov. 2026 à 09:14, Shop <help@shop.example> a écrit :\n> Bonjour',
    'At 2026-11-23 09:14:00, "Shop" <help@shop.example> wrote:\n>Hello',
    '---------- Forwarded message ---------\nFrom: x',
  ])('are left out of %j', (quote) => {
    expect(ownWords(`${WORDS}\n\n${quote}`)).toBe(WORDS)
  })

  it.each([
    '------------------ 原始邮件 ------------------\n发件人: "商店" <help@shop.example>;\n发送时间: 2026年11月23日\n收件人: "我"\n主题: Re: 包裹\n\n您好',
    '在 2026-11-23 09:14:00，"商店" <help@shop.example> 写道：\n>您好',
    '在 2026年11月23日，上午9:14，商店 <help@shop.example> 写道：\n\n> 您好',
    '商店 <help@shop.example> 于2026年11月23日周一 09:14写道：\n> 您好',
    '发件人: 商店 <help@shop.example>\n发送时间: 2026年11月23日\n收件人: 我\n主题: 回复: 包裹\n\n您好',
    '-----原始邮件-----\n发件人:"商店"\n您好',
    '＞您好',
    '---------- 转发的邮件 ----------\n您好',
    '发件人：商店\n日期：2026年\n主题：包裹\n\n您好',
    '-------- 转发邮件 --------\n您好',
  ])('are left out of %j', (quote) => {
    expect(ownWords(`${CHINESE}\n\n${quote}`)).toBe(CHINESE)
  })

  it('keep the words that stand between and below them', () => {
    const text =
      'See below.\n\nOn Mon, Nov 23, 2026, Shop wrote:\n> Which order?\nNumber 1001.\n> And where do you live?\nIn Hangzhou.'
    expect(ownWords(text)).toBe('See below.\n\nNumber 1001.\nIn Hangzhou.')
  })

  it('are all there is where nothing else was written', () => {
    expect(ownWords('> Hello')).toBe('> Hello')
  })

  it.each([
    'On Monday I wrote to you: no answer came.',
    'From: is what the form says, and nothing else.',
    'I got 3 > 2 parcels.',
    'On 5 May I ordered a lamp.\nShe wrote: it is broken.',
    '从周一开始就没有消息了。',
  ])('are not seen in %j', (text) => expect(ownWords(text)).toBe(text))
})

describe('signatures', () => {
  it.each([
    '-- \nMei Lin\nExample Ltd\n+86 571 0000',
    '--\nMei',
    'Best regards,\nMei Lin',
    'Thanks\nMei',
    'Kind regards\n\nMei Lin\nHead of things\nwww.example.com',
    'Cheers,\nM.',
    'Sent from my iPhone',
    'Get Outlook for iOS',
    '—\nMei',
  ])('are left out: %j', (signature) => expect(ownWords(`${WORDS}\n\n${signature}`)).toBe(WORDS))

  it.each([
    '谢谢！\n林梅',
    '此致\n敬礼\n林梅',
    '祝好\n林梅\n示例公司',
    '发自我的iPhone',
    '来自QQ邮箱',
    '--\n林梅',
    '顺祝商祺\n林梅',
    '从我的华为手机发送',
  ])('are left out: %j', (signature) => {
    expect(ownWords(`${CHINESE}\n\n${signature}`)).toBe(CHINESE)
  })

  it('are not seen in the middle of what is asked', () => {
    const text =
      'Thanks\nfor the last parcel. Where is the next one?\nAnd when does the one after it come, which I ordered for my mother?'
    expect(ownWords(text)).toBe(text)
    expect(ownWords('Thanks')).toBe('Thanks')
    expect(ownWords('谢谢')).toBe('谢谢')
  })
})

describe('any text', () => {
  const lines = fc.array(
    fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom(
        '',
        '> quoted',
        '-- ',
        'Best regards,',
        'On Monday at 9 x wrote:',
        'From: a',
        'Sent: b',
        'To: c',
        '谢谢',
        '写道：',
      ),
    ),
    { maxLength: 30 },
  )
  it('has words of its own that stand in it, and no fewer the second time', () => {
    fc.assert(
      fc.property(lines, (given) => {
        const text = given.join('\n')
        const own = ownWords(text)
        expect(own === '').toBe(text.replaceAll('\u00a0', ' ').trim() === '')
        const known = new Set(
          text
            .replace(/\r\n?/g, '\n')
            .replaceAll('\u00a0', ' ')
            .split('\n')
            .map((line) => line.trim()),
        )
        for (const line of own.split('\n')) expect(known.has(line.trim())).toBe(true)
      }),
    )
  })
})
