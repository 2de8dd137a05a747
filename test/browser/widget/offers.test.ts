import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { type MadeWidget, makeWidget } from '../../support/widget.ts'
import { hasBrowser, openBrowser, openTab, type Tab } from '../support/browser.ts'
import { expectClean, openConsole, violationsOf } from '../support/console.ts'
import { addPerson, loadShop, logIn } from '../support/shop.ts'
import { openShop, type ShopPage } from '../support/shop-page.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const CLOSED = { timezone: 'UTC', weekly: { mon: [{ from: '03:00', to: '03:01' }] } }

describe.runIf(hasBrowser)('what the widget offers', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let shop: ShopPage
  let widget: MadeWidget
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: 'a key that is long enough' })
    await loadShop(test, ['en'])
    browser = await openBrowser()
    shop = await openShop(await originOf(test.app))
    widget = await makeWidget(test, { allowed_origins: [shop.at] })
    shop.key = widget.key
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
    await test?.close()
  })

  const open = async (options: Parameters<typeof openTab>[2] = {}): Promise<Tab> => {
    const tab = await openTab(browser, shop.at, {
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    })
    await tab.page.getByRole('button', { name: 'Open the chat' }).click()
    return tab
  }
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Write your question …' }).fill(text)
    await page.keyboard.press('Enter')
  }
  const change = (settings: object) => test.call('PUT', `/api/v1/settings/widgets/${widget.widget_id}`, { settings })

  it('gives choices as buttons, questions to begin with among them', async () => {
    await change({
      starters: { en: ['What is the return window?'], zh: [] },
      greeting: { en: 'Hello! Ask away.', zh: '' },
    })
    const tab = await open()
    const { page } = tab
    await page.getByText('Hello! Ask away.').waitFor()
    await page.getByRole('button', { name: 'What is the return window?' }).click()
    await page.getByRole('article', { name: 'Assistant' }).filter({ hasText: '7 days' }).waitFor()
    await write(page, 'How long can I return headphones')
    await page.getByRole('article', { name: 'Assistant' }).nth(2).waitFor()
    const choices = page.locator('.choice')
    await expect.poll(() => choices.count()).toBeGreaterThan(0)
    await choices.first().click()
    await expect.poll(() => page.getByRole('article', { name: 'You' }).count()).toBe(3)
    await expectClean(tab)
    await tab.context.close()
  })

  it('sends a file to a person, who sees it', async () => {
    const tab = await open()
    const { page } = tab
    await write(page, 'I want to talk to a person')
    await page.getByText('A person has been called').waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'broken lamp.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') })
    await page.getByRole('link', { name: 'broken lamp.png' }).waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script>alert(1)</script>') })
    await page.getByText('That did not work.').waitFor()
    // The browser itself complains of the refusal.
    expect(tab.complaints.splice(0)).toEqual([expect.stringContaining('status of 4')])
    await page.getByRole('button', { name: 'Go on with the assistant' }).click()
    await page.getByRole('button', { name: 'Talk to a person' }).waitFor()
    await expectClean(tab)
    await tab.context.close()
  })

  it('takes a message and an address where nobody is there, and says when somebody is', async () => {
    await test.call('PUT', '/api/v1/settings/hours', CLOSED)
    const tab = await open()
    const { page } = tab
    await page.getByText(/Nobody is here right now. Back Mon/).waitFor()
    await page.getByRole('button', { name: 'Leave a message' }).click()
    await page.getByLabel('Your mail address').fill('mei@example.com')
    await page.getByLabel('Your message').fill('My lamp hums.')
    await expectClean(tab)
    await page.getByRole('button', { name: 'Leave it' }).click()
    await page.getByText('We have your message.').waitFor()
    const { body } = await test.call('GET', '/api/v1/agent/sessions?status=pending&q=hums')
    const { body: session } = await test.call('GET', `/api/v1/agent/sessions/${body.sessions[0].session_id}`)
    expect(session.contact).toMatchObject({ email: 'mei@example.com', verified: false })
    await test.call('DELETE', '/api/v1/settings/hours')
    // The desk answers later, and whoever comes back finds the answer.
    const id = body.sessions[0].session_id
    await test.call('POST', `/api/v1/agent/sessions/${id}/accept`, { agent_id: 'anna' })
    await test.call('POST', `/api/v1/agent/sessions/${id}/messages`, { content: 'Then it needs a new base.' })
    await page.getByText('Then it needs a new base.').waitFor()
    await page.reload()
    await page.getByText('Then it needs a new base.').waitFor()
    await tab.context.close()
  })

  it('fills a phone, stands right on pages from right to left, and in a place of the page', async () => {
    const phone = await open({ viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true })
    const box = await phone.page.getByRole('dialog').boundingBox()
    expect(box).toMatchObject({ x: 0, y: 0, width: 375, height: 700 })
    await expectClean(phone)
    await phone.context.close()

    shop.markup = '<html lang="en" dir="rtl">'
    const rtl = await open()
    const panel = await rtl.page.getByRole('dialog').boundingBox()
    expect((panel?.x ?? 0) + (panel?.width ?? 0)).toBeGreaterThan(1200)
    await write(rtl.page, 'What is the return window?')
    await rtl.page.getByRole('article', { name: 'Assistant' }).filter({ hasText: '7 days' }).waitFor()
    await expectClean(rtl)
    await rtl.context.close()

    shop.markup = '<main><h1>Help</h1><div id="help"></div></main>'
    shop.attributes = 'data-target="#help"'
    const inline = await openTab(browser, shop.at)
    await write(inline.page, 'What is the return window?')
    await inline.page.getByRole('article', { name: 'Assistant' }).filter({ hasText: '7 days' }).waitFor()
    expect(await inline.page.getByRole('button', { name: 'Open the chat' }).count()).toBe(0)
    await inline.context.close()
    shop.reset()
  })

  it('answers over a slow network, word by word', async () => {
    const tab = await open()
    const { page, context } = tab
    const developer = await context.newCDPSession(page)
    await developer.send('Network.enable')
    await developer.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 800,
      downloadThroughput: 4_000,
      uploadThroughput: 4_000,
    })
    await write(page, 'What is the return window?')
    await page.getByText('Answering …').waitFor()
    await page.getByRole('article', { name: 'Assistant' }).filter({ hasText: '7 days' }).waitFor()
    await expect.poll(() => page.getByText('Answering …').count(), { timeout: 20_000 }).toBe(0)
    expect(await page.getByRole('article', { name: 'You' }).count()).toBe(1)
    await expectClean(tab)
    await context.close()
  })

  it('leaves a page as it is where the script is blocked, fails, or the key is unknown', async () => {
    shop.policy = "default-src 'none'; script-src 'none'"
    const blocked = await openTab(browser, shop.at)
    expect(await blocked.page.evaluate('document.body.children.length')).toBe(2)
    await blocked.context.close()
    shop.reset()
    shop.key = 'pk_unknown'
    const unknown = await openTab(browser, shop.at)
    await unknown.page.waitForTimeout(300)
    expect(await unknown.page.evaluate('document.querySelectorAll("frontdesk-widget").length')).toBe(0)
    expect(unknown.complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
    await unknown.context.close()
    shop.key = widget.key
  })

  it('looks and speaks as the shop has set, seen in the console before it is saved', async () => {
    await addPerson(test, 'anna', 'admin')
    const tab = await openConsole(browser, await originOf(test.app), { at: 'settings/widgets' })
    const { page } = tab
    await logIn(page, 'anna')
    await page.getByRole('button', { name: 'Look and words' }).click()
    await page.getByLabel('Title').fill('Lantern help')
    await page.getByRole('dialog', { name: 'Lantern help' }).waitFor()
    await page.getByLabel('Colour', { exact: true }).fill('#ffd400')
    const colour = `getComputedStyle(document.querySelector('frontdesk-widget').shadowRoot.querySelector('.send')).backgroundColor`
    await expect.poll(() => page.evaluate(colour)).toBe('rgb(255, 212, 0)')
    await page.getByLabel('Corner').selectOption('left')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('Saved').first().waitFor()
    await expectClean(tab)
    await tab.context.close()
    const shopTab = await open()
    await shopTab.page.getByRole('dialog', { name: 'Lantern help' }).waitFor()
    expect((await shopTab.page.getByRole('dialog').boundingBox())?.x).toBeLessThan(100)
    // Yellow is read with black on it.
    expect(await shopTab.page.evaluate(colour.replace('backgroundColor', 'color'))).toBe('rgb(0, 0, 0)')
    await expectClean(shopTab)
    await shopTab.context.close()
  })
})
