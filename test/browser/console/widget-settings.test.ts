import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { type MadeWidget, makeWidget } from '../../support/widget.ts'
import { hasBrowser, openBrowser, openTab, type Tab } from '../support/browser.ts'
import { expectClean, expectCleanEverywhere, openConsole } from '../support/console.ts'

describe.runIf(hasBrowser)('the settings of a widget', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  let widget: MadeWidget
  let desk: Tab
  beforeAll(async () => {
    test = await createTestApp()
    browser = await openBrowser()
    origin = await originOf(test.app)
    widget = await makeWidget(test, { name: 'Demo', allowed_origins: [origin] })
    test.app.showDemo({ key: widget.key, identitySecret: widget.identity_secret, customers: [], help: [] })
    desk = await openConsole(browser, origin, { at: 'settings/widgets' })
    await desk.page.getByRole('button', { name: 'Look and words' }).click()
    await desk.page.getByRole('group', { name: 'Preview' }).getByRole('dialog').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  const preview = () => desk.page.getByRole('group', { name: 'Preview' })
  const styleOf = (page: Page, part: string, name: string) =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('frontdesk-widget').shadowRoot.querySelector('${part}')).${name}`,
    )
  const save = async () => {
    const saved = desk.page.waitForResponse((response) => response.request().method() === 'PUT')
    await desk.page.locator('.widget-look').getByRole('button', { name: 'Save', exact: true }).click()
    expect((await saved).status()).toBe(200)
    await desk.page.getByText('Saved').first().waitFor()
  }
  const onDemo = async (locale: string, look: (page: Page) => Promise<void>) => {
    const tab = await openTab(browser, `${origin}/demo`, { locale, viewport: { width: 1280, height: 800 } })
    await tab.page.getByRole('button', { name: /Open the chat|打开在线客服/ }).click()
    await look(tab.page)
    await expectClean(tab)
    await tab.context.close()
  }

  it('show each change before it is saved, and customers afterwards', async () => {
    const { page } = desk
    await page.getByLabel('Title', { exact: true }).fill('Lantern help')
    await page.getByLabel('Greeting').fill('Hello from Lantern.')
    await page.getByLabel('Notice').fill('Replies may take a minute.')
    const starters = page.getByLabel('Questions to begin with')
    await starters.click()
    // As people write: one line after the other.
    await page.keyboard.type('What is the return window?\nHow much is delivery?\n')
    expect(await starters.inputValue()).toBe('What is the return window?\nHow much is delivery?\n')
    await preview().getByRole('dialog', { name: 'Lantern help' }).waitFor()
    await preview().getByText('Hello from Lantern.').waitFor()
    await preview().getByText('Replies may take a minute.').waitFor()
    await preview().getByRole('button', { name: 'How much is delivery?' }).waitFor()

    await page.getByLabel('Colour', { exact: true }).fill('#ffd400')
    await expect.poll(() => styleOf(page, '.send', 'backgroundColor')).toBe('rgb(255, 212, 0)')
    const right = await preview().boundingBox()
    await page.getByLabel('Corner').selectOption('left')
    await expect.poll(async () => (await preview().boundingBox())?.x).toBeLessThan(right?.x ?? 0)
    await page.getByLabel('Takes files').uncheck()
    await expect.poll(() => preview().getByRole('button', { name: 'Send a file' }).count()).toBe(0)

    await page.getByLabel('Words in').selectOption('zh')
    await page.getByLabel('Title', { exact: true }).fill('灯笼客服')
    await preview().getByRole('dialog', { name: '灯笼客服' }).waitFor()
    await expectClean(desk)
    await save()
    // The language that was being written stays.
    await preview().getByRole('dialog', { name: '灯笼客服' }).waitFor()

    await onDemo('en-GB', async (shop) => {
      await shop.getByRole('dialog', { name: 'Lantern help' }).waitFor()
      await shop.getByText('Hello from Lantern.').waitFor()
      await shop.getByText('Replies may take a minute.').waitFor()
      await shop.getByRole('button', { name: 'What is the return window?' }).waitFor()
      expect(await styleOf(shop, '.send', 'backgroundColor')).toBe('rgb(255, 212, 0)')
      expect((await shop.getByRole('dialog').boundingBox())?.x).toBeLessThan(100)
      expect(await shop.getByRole('button', { name: 'Send a file' }).count()).toBe(0)
    })
    await onDemo('zh-CN', async (shop) => {
      await shop.getByRole('dialog', { name: '灯笼客服' }).waitFor()
    })
  })

  it('go back to the usual colour, and take all of it back', async () => {
    const { page } = desk
    await page.getByRole('button', { name: 'Usual colour' }).click()
    await expect.poll(() => styleOf(page, '.send', 'backgroundColor')).not.toBe('rgb(255, 212, 0)')
    await save()
    const stored = async () => (await test.call('GET', `/api/v1/settings/widgets/${widget.widget_id}`)).body.settings
    expect((await stored()).colour).toBe('')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(async () => (await stored()).colour).toBe('#ffd400')
  })

  it('offer the languages that are chosen, to everybody', async () => {
    await desk.page.getByLabel('Languages').selectOption('en')
    await save()
    await onDemo('zh-CN', async (shop) => {
      await shop.getByRole('dialog', { name: 'Lantern help' }).waitFor()
    })
    await desk.page.getByLabel('Languages').selectOption('both')
    await save()
  })

  it('give the line for the page, and a page of its own that works where it is listed', async () => {
    const { page } = desk
    await page.getByText(`src="${origin}/widget.js" data-key="${widget.key}"`).waitFor()
    const address = `${origin}/widget?key=${widget.key}`
    await page.getByRole('link', { name: address }).waitFor()
    const own = await openTab(browser, `${address}&lang=en`, { viewport: { width: 390, height: 800 } })
    const field = own.page.getByRole('textbox', { name: 'Write your question …' })
    await field.fill('Hello')
    await field.press('Enter')
    await own.page.getByRole('article', { name: 'Assistant' }).filter({ hasText: 'How can I help you?' }).waitFor()
    expect(await own.page.title()).toBe('Lantern help')
    const box = await own.page.getByRole('dialog').boundingBox()
    expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 800 })
    await expectClean(own)
    await own.context.close()

    const other = await makeWidget(test, { name: 'Elsewhere' })
    await page.reload()
    await page.getByText(`It works once ${origin} is among the pages below.`).waitFor()
    expect(await page.getByRole('link', { name: `${origin}/widget?key=${other.key}` }).count()).toBe(0)
  })

  it('are clean in both languages and colour schemes', async () => {
    await expectCleanEverywhere(browser, origin, 'settings/widgets', async (page) => {
      await page
        .getByRole('button', { name: /Look and words|外观与文字/ })
        .first()
        .click()
      await page
        .getByRole('group', { name: /Preview|预览/ })
        .getByRole('dialog')
        .waitFor()
    })
  })
})
