import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { makeWidget } from '../../support/widget.ts'
import { hasBrowser, openBrowser, openTab } from '../support/browser.ts'
import { expectClean, openConsole } from '../support/console.ts'
import { openShop, type ShopPage } from '../support/shop-page.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** A minute a week, so that it is closed now, and opens at a time that can be said. */
const CLOSED = { timezone: 'UTC', weekly: { mon: [{ from: '03:00', to: '03:01' }] } }

describe.runIf(hasBrowser)('a shop that is closed', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let shop: ShopPage
  let origin: string
  beforeAll(async () => {
    test = await createTestApp()
    await test.call('PUT', '/api/v1/settings/hours', CLOSED)
    browser = await openBrowser()
    origin = await originOf(test.app)
    shop = await openShop(origin)
    shop.key = (await makeWidget(test, { allowed_origins: [shop.at] })).key
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
    await test?.close()
  })

  it('takes a message and an address; the desk answers later, and who left it finds the answer', async () => {
    const customer = await openTab(browser, shop.at, {
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      locale: 'en-GB',
    })
    const { page } = customer
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await page.getByText(/Nobody is here right now\. Back Mon/).waitFor()
    await page.getByRole('button', { name: 'Leave a message' }).click()
    await page.getByLabel('Your mail address').fill('mei@example.com')
    await page.getByLabel('Your message').fill('My lamp hums at night.')
    await page.getByRole('button', { name: 'Leave it' }).click()
    const own = page.getByRole('article', { name: 'You' }).getByText('My lamp hums at night.')
    await own.waitFor()
    // Beside words, what says more than they do.
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'humming lamp.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') })
    await page.getByRole('link', { name: 'humming lamp.png' }).waitFor()
    // Nobody is told to wait for somebody who is not there.
    await expect.poll(() => page.getByRole('log').textContent()).toMatch(/Mon|opens|open again|hours/i)
    expect(await page.getByRole('log').textContent()).not.toMatch(/wait a moment/i)
    await expectClean(customer)
    await page.close()

    const desk = await openConsole(browser, origin, { at: 'inbox?tab=waiting' })
    await desk.page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: 'Visitor' }).click()
    await desk.page.getByRole('article', { name: 'Customer' }).getByText('My lamp hums at night.').waitFor()
    await desk.page.getByRole('complementary').getByText('mei@example.com').waitFor()
    const file = desk.page.getByRole('log').getByRole('link', { name: 'humming lamp.png' })
    await file.waitFor()
    const picture = `new Promise((resolve) => {
      const shown = () => { const image = document.querySelector('.message-file img'); image?.naturalWidth ? resolve(image.naturalWidth) : setTimeout(shown, 50) }
      shown()
    })`
    expect(await desk.page.evaluate(picture)).toBe(1)
    const [opened] = await Promise.all([desk.context.waitForEvent('page'), file.click()])
    expect((await opened.goto(opened.url()))?.headers()).toMatchObject({ 'content-type': 'image/png' })
    await opened.close()
    await desk.page.getByRole('button', { name: /^Take/ }).waitFor()
    await desk.page.keyboard.press('a')
    await desk.page.getByRole('tab', { name: 'Reply' }).waitFor()
    await desk.page.getByRole('form', { name: 'Reply or note' }).locator('textarea').fill('Then it needs a new base.')
    await desk.page.keyboard.press('Control+Enter')
    await desk.page.getByRole('log').getByText('Then it needs a new base.').waitFor()
    await expectClean(desk)
    await desk.context.close()

    const back = await customer.context.newPage()
    await back.goto(shop.at)
    await back.getByRole('button', { name: 'Open the chat' }).click()
    await back.getByText('Then it needs a new base.').waitFor()
    expect(await back.getByText('My lamp hums at night.', { exact: true }).count()).toBe(1)
    await customer.context.close()
  })
})
