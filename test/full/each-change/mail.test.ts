import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { readMail } from '../../../src/features/channels/mail/read-mail.ts'
import { hasDovecot, type MailServers, startMailServers } from '../../support/mail-server.ts'
import { createTestApp, encodeForm, type TestApp, testConfig } from '../../support/test-app.ts'
import { makeWidget, openPage } from '../../support/widget.ts'

const API_KEY = 'a secret of 24 characters'
const HELP = 'help@shop.example'
const RETURNS = '# Returns\n\nYou may return anything within 30 days of delivery. Refunds take five days.\n'
const QUESTION = 'Within how many days of delivery may I return anything?'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

const isReal = hasDovecot && process.getuid?.() === 0
if (!isReal && process.env.CI) throw new Error('Mail is tested with Dovecot, which CI installs: dovecot-imapd')
if (!isReal) console.info('No Dovecot, or not root: mail is not tested with a real server here')

let servers: MailServers
beforeAll(async () => {
  if (isReal) servers = await startMailServers()
})
afterAll(async () => servers?.close())

const settings = (more: Record<string, string> = {}) => ({
  API_KEY,
  MAIL_IMAP_HOST: '127.0.0.1',
  MAIL_IMAP_PORT: String(servers.imapPort),
  MAIL_IMAP_SECURITY: 'plain',
  MAIL_SMTP_HOST: '127.0.0.1',
  MAIL_SMTP_PORT: String(servers.smtpPort),
  MAIL_SMTP_SECURITY: 'plain',
  MAIL_USER: HELP,
  MAIL_PASSWORD: servers.password,
  MAIL_NAME: 'The shop',
  MAIL_POLL_SECONDS: '1',
  ...more,
})

let count = 0
/** A mail of a customer, with what a program of theirs writes. */
function write(from: string, body: string, headers: Record<string, string> = {}, to = HELP): string {
  const id = `${count++}.${Date.now()}@customers.example`
  const lines = {
    From: from,
    To: to,
    Subject: 'Question',
    'Message-ID': `<${id}>`,
    Date: new Date().toUTCString(),
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`)
  servers.deliver(to, `${head.join('\r\n')}\r\n\r\n${body}\r\n`)
  return id
}

/** What came to an address, the oldest first. */
async function received(address: string) {
  const own = servers.sent.filter(({ to }) => to.includes(address))
  return Promise.all(
    own.map(async ({ raw }) => {
      const mail = await readMail(Buffer.from(raw), 'nobody@shop.example')
      const header = (name: string) =>
        new RegExp(`^${name}: (.*(?:\\r?\\n[ \\t].*)*)$`, 'im').exec(raw)?.[1]?.replace(/\s+/g, ' ')
      return {
        raw,
        header,
        text: mail?.text ?? '',
        subject: mail?.subject,
        id: mail?.id ?? '',
        files: mail?.files ?? [],
      }
    }),
  )
}
type Letter = Awaited<ReturnType<typeof received>>[0]
async function next(address: string, number: number): Promise<Letter> {
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(50)) {
    const letter = (await received(address))[number]
    if (letter) return letter
  }
  throw new Error(`${address} did not get ${number + 1} mails`)
}

describe.runIf(isReal)('mail', { timeout: 60_000 }, () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp(settings())
    await test.upload(RETURNS, 'returns.md')
    // The first look says from where on mails are read.
    await sleep(1_500)
  })
  afterAll(() => test?.close())
  const sessionOf = async (address: string) => {
    const { sessions } = (await test.call('GET', '/api/v1/agent/sessions?limit=200')).body
    return sessions.find((each: { user_id: string }) => each.user_id === `email:${address}`)
  }
  const detail = async (address: string) =>
    (await test.call('GET', `/api/v1/agent/sessions/${(await sessionOf(address)).session_id}`)).body

  it('goes from a question to resolved, in one thread', async () => {
    const mei = 'mei@customers.example'
    const asked = write(`Mei Lin <${mei}>`, `Hello,\r\n\r\n${QUESTION}\r\n\r\nBest regards,\r\nMei`)
    const answer = await next(mei, 0)
    expect(answer.text).toContain('30 days')
    expect(answer.text).toContain(`> ${QUESTION}`)
    expect([answer.subject, answer.header('in-reply-to'), answer.header('from')]).toEqual([
      'Re: Question',
      `<${asked}>`,
      'The shop <help@shop.example>',
    ])
    expect([answer.header('auto-submitted'), answer.raw.includes('text/html')]).toEqual(['auto-replied', true])

    const reply = `I would rather talk to a person, please.\r\n\r\nOn Monday, The shop <${HELP}> wrote:\r\n> You may return anything\r\n> within 30 days`
    write(mei, reply, {
      Subject: 'Re: Question',
      'In-Reply-To': `<${answer.id}>`,
      References: `<${asked}> <${answer.id}>`,
    })
    const handed = await next(mei, 1)
    expect(handed.text).toContain('colleague')
    const { session_id, channel } = await sessionOf(mei)
    expect(channel).toBe('email')
    await test.call('POST', `/api/v1/agent/sessions/${session_id}/accept`, { agent_id: 'ann' })
    await test.call('POST', `/api/v1/agent/sessions/${session_id}/messages`, {
      content: 'This is Ann. How can I help?',
    })
    const person = await next(mei, 2)
    expect(person.text).toContain('This is Ann')
    expect([person.header('auto-submitted'), person.header('in-reply-to')]).toEqual([
      undefined,
      handed.header('in-reply-to'),
    ])

    write(mei, 'My lamp is broken.', { Subject: 'Re: Question', References: `<${person.id}>` })
    await expect
      .poll(async () => JSON.stringify((await detail(mei)).history), { timeout: 10_000 })
      .toContain('My lamp is broken.')
    const { body, contentType } = encodeForm(PNG, 'label.png', {})
    await test.call('POST', `/api/v1/agent/sessions/${session_id}/attachments`, body, { 'content-type': contentType })
    expect((await next(mei, 3)).files.map(({ name }) => name)).toEqual(['label.png'])
    await test.call('POST', `/api/v1/agent/sessions/${session_id}/resolve`, { note: 'Sent a label' })
    const { history, agent_status } = await detail(mei)
    expect(agent_status).toBe('resolved')
    const said = history
      .filter(({ role }: { role: string }) => role === 'user')
      .map(({ content }: { content: string }) => content)
    expect(said).toEqual([`Hello,\n\n${QUESTION}`, 'I would rather talk to a person, please.', 'My lamp is broken.'])
    // A person who has the conversation is not talked over.
    expect(await received(mei)).toHaveLength(4)
  })

  it('keeps apart what does not belong together', async () => {
    const [li, eve] = ['li@customers.example', 'eve@customers.example']
    write(li, QUESTION)
    const answer = await next(li, 0)
    write(eve, 'And what did Li ask?', { 'In-Reply-To': `<${answer.id}>` })
    await next(eve, 0)
    expect((await sessionOf(eve)).session_id).not.toBe((await sessionOf(li)).session_id)
    write(li, 'How long do refunds take?', { Subject: 'Another question' })
    await next(li, 1)
    const { sessions } = (await test.call('GET', '/api/v1/agent/sessions?limit=200')).body
    expect(sessions.filter(({ user_id }: { user_id: string }) => user_id === `email:${li}`)).toHaveLength(2)
  })

  it('takes files, and names those that it does not take', async () => {
    const bo = 'bo@customers.example'
    const part = (name: string, content: Buffer) =>
      `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n`
    const body = `--b\r\nContent-Type: text/plain\r\n\r\nI want to talk to a person about this picture.\r\n${part('lamp.png', PNG)}${part('bad.exe', Buffer.from('MZ\0\0'))}--b--`
    write(bo, body, { 'Content-Type': 'multipart/mixed; boundary=b' })
    await next(bo, 0)
    const { session_id, history } = await detail(bo)
    const { attachments } = (await test.call('GET', `/api/v1/agent/sessions/${session_id}/attachments`)).body
    expect(attachments.map(({ file_name }: { file_name: string }) => file_name)).toEqual(['lamp.png'])
    expect(JSON.stringify(history)).toContain('bad.exe')
  })

  it('ends a loop of two machines after one round', async () => {
    const robot = 'robot@customers.example'
    write(robot, QUESTION)
    const first = await next(robot, 0)
    // As a program that answers everything by itself does, marked as RFC 3834 says.
    write(robot, 'I am away until Monday.', { 'Auto-Submitted': 'auto-replied', 'In-Reply-To': `<${first.id}>` })
    await sleep(3_000)
    expect(await received(robot)).toHaveLength(1)
  })

  it('ends a loop with a machine that does not say what it is', async () => {
    const robot = 'rude-robot@customers.example'
    const limited = await createTestApp(
      settings({ MAIL_ANSWERS_PER_HOUR: '2', MAIL_FOLDER: 'INBOX', MAIL_USER: 'rude@shop.example' }),
    )
    try {
      await sleep(1_500)
      for (let round = 0; round < 4; round++) {
        write(
          robot,
          `We got your mail number ${round}, what is it about?`,
          { To: 'rude@shop.example' },
          'rude@shop.example',
        )
        await sleep(1_600)
      }
      expect(await received(robot)).toHaveLength(2)
    } finally {
      await limited.close()
    }
  })

  it('shows the desk what came back', async () => {
    const gone = 'gone@customers.example'
    write(gone, 'I want to talk to a person')
    await next(gone, 0)
    const { session_id } = await sessionOf(gone)
    await test.call('POST', `/api/v1/agent/sessions/${session_id}/accept`, { agent_id: 'ann' })
    await test.call('POST', `/api/v1/agent/sessions/${session_id}/messages`, { content: 'Hello there' })
    const sent = await next(gone, 1)
    const report = `--b\r\nContent-Type: text/plain\r\n\r\nNo such user\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nStatus: 5.1.1\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${sent.id}>\r\n--b--`
    write('MAILER-DAEMON@customers.example', report, {
      Subject: 'Undelivered Mail Returned to Sender',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    })
    const delivery = async () => (await detail(gone)).history.at(-1).delivery
    await expect.poll(delivery, { timeout: 10_000 }).toEqual({ state: 'failed', error: 'returned' })
  })

  it('is sent again when the server has no time, and given up where it refuses', async () => {
    const busy = 'busy@customers.example'
    servers.refuseNext.push({ code: 451, message: 'Greylisted' })
    write(busy, QUESTION)
    expect((await next(busy, 0)).text).toContain('30 days')
    servers.refuseNext.push({ code: 550, message: 'No such user' })
    write('refused@customers.example', QUESTION)
    await expect.poll(() => servers.refuseNext.length, { timeout: 10_000 }).toBe(0)
    expect(await received('refused@customers.example')).toEqual([])
    const failed = async () => JSON.stringify((await test.call('GET', '/api/v1/observability/alerts')).body)
    await expect.poll(failed, { timeout: 10_000 }).toContain('could not be delivered by email')
  })

  it('takes what a person says to an address that was left at a widget, and nothing else', async () => {
    const left = 'left@customers.example'
    const widget = await makeWidget(test)
    const { call } = await openPage(test, { key: widget.key })
    await call('POST', 'offline', { message: 'The blue lamp hums', email: left, name: 'Li' })
    const { sessions } = (await test.call('GET', `/api/v1/agent/sessions?q=${encodeURIComponent('blue lamp hums')}`))
      .body
    const path = `/api/v1/agent/sessions/${sessions[0].session_id}`
    await test.call('POST', `${path}/accept`, { agent_id: 'ann' })
    await test.call('POST', `${path}/messages`, { content: 'We send you another one.' })
    const letter = await next(left, 0)
    expect([letter.subject, letter.header('in-reply-to'), letter.header('auto-submitted')]).toEqual([
      'Re: The blue lamp hums',
      undefined,
      undefined,
    ])
    expect(letter.text).toContain('We send you another one.')
    await test.call('POST', `${path}/release`, { to: 'assistant' })
    await sleep(2_500)
    expect(await received(left)).toHaveLength(1)
  })

  it('is answered once, though the program begins anew and others read the folder, too', async () => {
    const again = 'again@customers.example'
    write(again, QUESTION)
    await next(again, 0)
    const second = await createApp(testConfig(settings()), test.db, test.app.log)
    await second.ready()
    write(again, 'How long do refunds take?')
    await next(again, 1)
    await sleep(2_500)
    await second.close()
    expect(await received(again)).toHaveLength(2)
  })
})

describe.runIf(isReal)('mail that is left to people', { timeout: 60_000 }, () => {
  it('waits at the desk, is acknowledged once, and answered by a person', async () => {
    const user = 'people@shop.example'
    const test = await createTestApp(settings({ MAIL_USER: user, MAIL_REPLIES: 'people' }))
    try {
      await test.upload(RETURNS, 'returns.md')
      await sleep(1_500)
      const ada = 'ada@customers.example'
      const mail = (body: string) => write(ada, body, { To: user, References: '<thread@customers.example>' }, user)
      mail(QUESTION)
      const first = await next(ada, 0)
      expect(first.text).not.toContain('30 days')
      write(ada, 'It is urgent.', { To: user, 'In-Reply-To': `<${first.id}>` }, user)
      const pending = async () => (await test.call('GET', '/api/v1/agent/sessions/pending')).body
      await expect.poll(async () => (await pending()).length).toBe(1)
      const [{ session_id }] = await pending()
      const history = async () => JSON.stringify((await test.call('GET', `/api/v1/agent/sessions/${session_id}`)).body)
      await expect.poll(history, { timeout: 10_000 }).toContain('It is urgent.')
      await test.call('POST', `/api/v1/agent/sessions/${session_id}/accept`, { agent_id: 'ann' })
      await test.call('POST', `/api/v1/agent/sessions/${session_id}/messages`, { content: 'Within 30 days.' })
      expect((await next(ada, 1)).text).toContain('Within 30 days.')
    } finally {
      await test.close()
    }
  })
})
