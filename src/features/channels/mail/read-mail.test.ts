import { describe, expect, it } from 'vitest'
import { readMail } from './read-mail.ts'

const OWN = 'help@shop.example'
const mail = (headers: string[], body: string | Uint8Array = 'Hello') =>
  Buffer.concat([
    Buffer.from(
      ['From: Mei Lin <Mei@Example.com>', 'Subject: Parcel', 'Message-ID: <1@example.com>', ...headers, '', ''].join(
        '\r\n',
      ),
    ),
    Buffer.from(body),
  ])
const read = (headers: string[], body?: string | Uint8Array) => readMail(mail(headers, body), OWN)

describe('a mail', () => {
  it('is read with its thread', async () => {
    const headers = ['In-Reply-To: <b@x>', 'References: <a@x> <b@x>', 'Date: Mon, 23 Nov 2026 09:14:00 +0000']
    expect(await read(headers)).toMatchObject({
      id: '1@example.com',
      answers: ['b@x', 'a@x'],
      from: { address: 'mei@example.com', name: 'Mei Lin' },
      subject: 'Parcel',
      text: expect.stringContaining('Hello'),
      date: new Date('2026-11-23T09:14:00Z'),
      kind: 'person',
    })
  })

  it.each([
    ['gb18030', '我的包裹在哪里？', 'ztK1xLD8ufzU2sTEwO+jvw=='],
    ['big5', '我的包裹在哪裡？', 'p9qquqVdu3GmYq3+uMyhSA=='],
    ['iso-2022-jp', '荷物はどこ', 'GyRCMllKKiRPJEkkMxsoQg=='],
    ['windows-1252', 'Où est mon colis ?', 'T/kgZXN0IG1vbiBjb2xpcyA/'],
  ])('is read in %s', async (charset, text, base64) => {
    const found = await read(
      [`Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: base64'],
      base64,
    )
    expect(found?.text.trim()).toBe(text)
  })

  it('of HTML alone is read without what it quotes', async () => {
    const html =
      '<html><head><style>p{}</style></head><body><p>Where is my parcel?</p><p>See <a href="https://shop.example/1">this</a></p>' +
      '<div class="gmail_quote">On Monday Shop wrote:<blockquote>Hello</blockquote></div></body></html>'
    const found = await read(['Content-Type: text/html; charset=utf-8'], html)
    expect(found?.text.trim()).toBe('Where is my parcel?\n\nSee this (https://shop.example/1)')
  })

  it('has its files, without the logo of a signature', async () => {
    const part = (type: string, rest: string, content: string) =>
      `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n${rest}\r\n\r\n${btoa(content)}\r\n`
    const body =
      `--b\r\nContent-Type: text/plain\r\n\r\nSee the picture\r\n` +
      part('image/png', 'Content-Disposition: attachment; filename="lamp.png"', 'png') +
      part('image/png', 'Content-Disposition: inline; filename="logo.png"\r\nContent-ID: <logo>', 'logo') +
      '--b--\r\n'
    const found = await read(['Content-Type: multipart/mixed; boundary=b'], body)
    expect(found?.files.map(({ name }) => name)).toEqual(['lamp.png'])
  })

  it('without an id has one of its own, and without a sender is none', async () => {
    const bytes = Buffer.from('From: mei@example.com\r\n\r\nHello')
    expect((await readMail(bytes, OWN))?.id).toBe((await readMail(bytes, OWN))?.id)
    expect(await readMail(Buffer.from('Subject: x\r\n\r\nHello'), OWN)).toBeNull()
    expect(await readMail(Buffer.alloc(0), OWN)).toBeNull()
    expect(await readMail(Buffer.from([0, 255, 13, 10]), OWN)).toBeNull()
  })
})

describe('the words of a machine', () => {
  it.each([
    ['Auto-Submitted: auto-replied'],
    ['Auto-Submitted: auto-generated'],
    ['Precedence: bulk'],
    ['Precedence: auto_reply'],
    ['X-Autoreply: yes'],
    ['List-Id: <news.example.com>'],
    ['List-Unsubscribe: <mailto:x@example.com>'],
    ['Return-Path: <>'],
    ['Content-Type: multipart/report; boundary=b'],
  ])('are known by %s', async (header) => expect((await read([header]))?.kind).toBe('automatic'))

  it.each(['Automatic reply: Parcel', 'Out of Office', '自动回复：包裹', 'Auto-Reply', '外出'])(
    'are known by the subject %s',
    async (subject) => {
      const bytes = Buffer.from(`From: mei@example.com\r\nSubject: ${subject}\r\n\r\nHello`)
      expect((await readMail(bytes, OWN))?.kind).toBe('automatic')
    },
  )

  it.each(['no-reply@example.com', 'noreply@example.com', 'bounces+1@example.com', 'notifications@example.com'])(
    'are known by the sender %s',
    async (from) => {
      expect((await readMail(Buffer.from(`From: ${from}\r\n\r\nHello`), OWN))?.kind).toBe('automatic')
    },
  )

  it.each([['Auto-Submitted: no'], ['Precedence: first-class']])('are not those of %s', async (header) => {
    expect((await read([header]))?.kind).toBe('person')
  })

  it('that are our own are known', async () => {
    expect((await readMail(Buffer.from(`From: ${OWN}\r\n\r\nHello`), OWN))?.kind).toBe('own')
  })
})

it.each([
  [
    'a report',
    'From: MAILER-DAEMON@example.com\r\nSubject: Delivery Status Notification (Failure)\r\n' +
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n' +
      '--b\r\nContent-Type: text/plain\r\n\r\nIt failed\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nStatus: 5.1.1\r\n' +
      '--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <ours@shop.example>\r\n--b--\r\n',
  ],
  ['a letter', 'From: postmaster@qq.com\r\nSubject: 系统退信\r\n\r\n无法投递 <ours@shop.example>'],
])('a mail that came back is known by %s, and names what it was', async (_, text) => {
  expect(await readMail(Buffer.from(text), OWN)).toMatchObject({
    kind: 'bounce',
    reported: expect.arrayContaining(['ours@shop.example']),
  })
})
