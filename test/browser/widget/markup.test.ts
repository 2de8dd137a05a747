import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, encodeForm, type TestApp } from '../../support/test-app.ts'
import { ask, type MadeWidget, makeWidget, openPage, signIdentity } from '../../support/widget.ts'
import { hasBrowser, openBrowser, openTab, type Tab } from '../support/browser.ts'
import { harmIn, PAYLOADS, wasHacked, watchForScripts } from '../support/payloads.ts'

const SHADOW = `document.querySelector('frontdesk-widget').shadowRoot`
const PATIENT = { timeout: 30_000 }
const WHEN = '2026-11-02T10:00:00.000Z'
const NOBODY = { event: null, agent_name: null, sources: [], attachment: null, rating: null, timestamp: WHEN }

/** Every text that somebody else writes and the widget or the console shows, each as every payload. */
describe.runIf(hasBrowser)('texts that would be markup', { timeout: 240_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  let widget: MadeWidget
  beforeAll(async () => {
    test = await createTestApp({
      WIDGET_MESSAGES_PER_MINUTE: '0',
      WIDGET_REQUESTS_PER_MINUTE: '0',
      WIDGET_SESSIONS_PER_MINUTE: '0',
      ATTACHMENTS_PER_SESSION: '200',
    })
    browser = await openBrowser()
    origin = await originOf(test.app)
    widget = await makeWidget(test, { allowed_origins: [origin] })
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  const page = () => `${origin}/widget?key=${widget.key}&lang=en`
  const open = async (): Promise<Tab> => {
    const tab = await openTab(browser, 'about:blank')
    await watchForScripts(tab.page)
    return tab
  }
  const expectText = async ({ page: shown, complaints }: Tab, place: string) => {
    expect(await wasHacked(shown)).toBe(false)
    expect(await harmIn(shown, place)).toEqual([])
    // Of requests that a test has refused.
    expect(complaints.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([])
  }

  it('are more than fifty, each another', () => {
    expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length)
    expect(PAYLOADS.length).toBeGreaterThan(50)
  })

  it('stay texts in replies, titles, excerpts and addresses of sources, names of people, events and files', async () => {
    const tab = await open()
    const messages = PAYLOADS.flatMap((text, index) => [
      { ...NOBODY, message_id: `u${index}`, role: 'user', content: text },
      {
        ...NOBODY,
        message_id: `a${index}`,
        role: 'assistant',
        content: text,
        sources: [
          { title: text, excerpt: text, url: text },
          { title: text, excerpt: null, url: `javascript:hack()//${index}` },
        ],
      },
      { ...NOBODY, message_id: `p${index}`, role: 'agent', content: text, agent_name: text },
      {
        ...NOBODY,
        message_id: `f${index}`,
        role: 'user',
        content: `[${text}]`,
        attachment: { file_name: text, media_type: 'text/plain', size: 1, url: `/api/v1/attachments/${index}` },
      },
      // What only repeats the message before it is not shown twice.
      { ...NOBODY, message_id: `s${index}`, role: 'system', event: 'notice', content: text },
    ])
    const state = (await ask(test.app, 'POST', 'sessions', { body: { key: widget.key }, origin })).body.state
    // As a conversation that goes on, whatever service answers.
    const { token } = await openPage(test, { key: widget.key }, origin)
    await tab.page.route('**/api/v1/widget/sessions', (route) =>
      route.fulfill({
        status: 201,
        json: { token, expires_at: '2030-01-01T00:00:00.000Z', identified: false, name: null, goes_on: true, state },
      }),
    )
    await tab.page.route(/\/widget\/messages\?/, (route) => {
      const after = new URL(route.request().url()).searchParams.get('after')
      const from = after === null ? 0 : messages.findIndex(({ message_id: id }) => id === after) + 1
      return route.fulfill({ json: { messages: messages.slice(from, from + 200), state } })
    })
    await tab.page.route('**/api/v1/widget/events', (route) => route.abort())
    await tab.page.goto(page())
    const articles = tab.page.getByRole('article')
    await expect.poll(() => articles.count(), PATIENT).toBe(PAYLOADS.length * 4)
    await tab.page.evaluate(`${SHADOW}.querySelectorAll('details').forEach((each) => { each.open = true })`)

    const texts = (selector: string) =>
      tab.page.evaluate<string[]>(`[...${SHADOW}.querySelectorAll('${selector}')].map((each) => each.textContent)`)
    expect(await texts('.entry.user:not(:has(a)) .text')).toEqual(PAYLOADS)
    expect(await texts('.entry.user .text a')).toEqual(PAYLOADS)
    expect(await texts('.who')).toEqual(PAYLOADS)
    expect(await texts('.event')).toEqual(PAYLOADS)
    expect(await texts('.source:nth-of-type(1) strong')).toEqual(PAYLOADS)
    expect(await texts('.source:nth-of-type(1) p')).toEqual(PAYLOADS)
    await tab.page.mouse.move(300, 300)
    await tab.page.mouse.move(310, 500)
    await expectText(tab, SHADOW)
    await tab.context.close()
  })

  it('stay texts in a reply that is written as one looks on, and in its choices', async () => {
    const tab = await open()
    const begun = await openPage(test, { key: widget.key }, origin)
    let at = 0
    await tab.page.route('**/api/v1/widget/messages', (route) => {
      const text = PAYLOADS[at++ % PAYLOADS.length] as string
      const done = {
        message_id: `m${at}`,
        reply_id: `r${at}`,
        reply: text,
        sources: [{ title: text, excerpt: text, url: null }],
        choices: [text],
        state: begun.begun.body.state,
      }
      const pieces = text.match(/[\s\S]{1,3}/gu) ?? []
      const events = [
        ['start', { message_id: `m${at}` }],
        ...pieces.map((content) => ['token', { content }]),
        ['done', done],
      ] as const
      const body = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('')
      return route.fulfill({ contentType: 'text/event-stream', body })
    })
    await tab.page.route('**/api/v1/widget/events', (route) => route.abort())
    await tab.page.goto(page())
    const field = tab.page.getByRole('textbox', { name: 'Write your question …' })
    for (const [index, text] of PAYLOADS.entries()) {
      await field.fill(text)
      await field.press('Enter')
      await expect.poll(() => tab.page.getByRole('article').count(), PATIENT).toBe(index * 2 + 2)
      await tab.page.locator('.choice').getByText(text, { exact: true }).waitFor()
    }
    await expectText(tab, SHADOW)
    await tab.context.close()
  })

  it('stay texts in the settings of a widget, and in the title of its own page', async () => {
    const tab = await open()
    for (const text of PAYLOADS) {
      const settings = {
        title: { en: text.slice(0, 60), zh: '' },
        greeting: { en: text, zh: '' },
        notice: { en: text, zh: '' },
        starters: { en: [text], zh: [] },
      }
      await test.call('PUT', `/api/v1/settings/widgets/${widget.widget_id}`, { settings })
      await tab.page.goto(page())
      await tab.page.getByRole('button', { name: text, exact: true }).waitFor()
      expect(await tab.page.title()).toBe(text.slice(0, 60).replace(/\s+/g, ' ').trim())
      expect(await tab.page.locator('h2').textContent()).toBe(text.slice(0, 60))
      expect(await tab.page.getByRole('article', { name: 'Assistant' }).textContent()).toBe(text)
      expect(await tab.page.evaluate('document.body.children.length')).toBe(2)
      await expectText(tab, SHADOW)
    }
    const usual = { zh: '', en: '' }
    const settings = { title: usual, greeting: usual, notice: usual, starters: { zh: [], en: [] } }
    await test.call('PUT', `/api/v1/settings/widgets/${widget.widget_id}`, { settings })
    await tab.context.close()
  })

  it('stay texts at the desk: names, messages and file names of customers, replies of the assistant, and notes', async () => {
    const cells = PAYLOADS.map((text, index) => `What is written on sign ZQ${index}?,"${text.replaceAll('"', '""')}"`)
    await test.upload(['question,answer', ...cells].join('\n'), 'signs.csv')
    const ids: string[] = []
    let answered = 0
    for (const [index, text] of PAYLOADS.entries()) {
      const identity = await signIdentity(widget.identity_secret, { sub: text.replace(/\t/g, ' '), name: text })
      const customer = await openPage(test, { key: widget.key, identity }, origin)
      expect(customer.begun.status).toBe(201)
      const replied = await customer.say(`What is written on sign ZQ${index}?`)
      if (replied.at(-1)?.data.reply.includes(text)) answered++
      await customer.call('POST', 'offline', { message: text, name: text.slice(0, 100), email: 'li@example.com' })
      const { body, contentType } = encodeForm('A file', `${text.replace(/[/\\"]/g, '_')}.txt`, {})
      const sent = await customer.call('POST', 'attachments', body, { 'content-type': contentType })
      expect(sent.status).toBe(201)
      const { sessions } = (await test.call('GET', '/api/v1/agent/sessions?limit=1')).body
      ids.push(sessions[0].session_id)
      await test.call('POST', `/api/v1/agent/sessions/${ids.at(-1)}/notes`, { content: text, author: 'ann' })
    }
    expect(new Set(ids).size).toBe(PAYLOADS.length)
    // Some are cleaned as documents are taken in; the desk shows what is left.
    expect(answered).toBeGreaterThan(50)
    const tab = await open()
    await tab.page.goto(`${origin}/#/inbox?tab=waiting`)
    await tab.page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().waitFor()
    for (const [index, text] of PAYLOADS.entries()) {
      await tab.page.evaluate(`location.hash = '#/inbox/${ids[index]}?tab=waiting'`)
      const said = tab.page.getByRole('article', { name: 'Customer' }).nth(1).locator('.message-text')
      await expect.poll(() => said.textContent({ timeout: 500 }).catch(() => ''), PATIENT).toBe(text)
      expect(await wasHacked(tab.page)).toBe(false)
      await tab.page.getByRole('log').getByRole('link', { name: '.txt' }).waitFor(PATIENT)
      expect(await harmIn(tab.page, `document.querySelector('[role=log]')`)).toEqual([])
      expect(await harmIn(tab.page, `document.querySelector('.conversation-header')`)).toEqual([])
    }
    expect(await harmIn(tab.page, `document.querySelector('[role=list][aria-label="Conversations"]')`)).toEqual([])
    expect(tab.complaints).toEqual([])
    await tab.context.close()
  })
})
