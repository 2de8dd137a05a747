import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { makeWidget } from '../../support/widget.ts'
import { hasBrowser, openBrowser, openTab } from '../support/browser.ts'
import { expectClean, openConsole } from '../support/console.ts'
import { loadShop } from '../support/shop.ts'

const ORDER = '#W2957946'

describe.runIf(hasBrowser)('the page of the sample shop', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    test = await createTestApp()
    await loadShop(test, ['en'])
    browser = await openBrowser()
    origin = await originOf(test.app)
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  it('is there for the demo alone', async () => {
    expect((await test.call('GET', '/demo')).status).toBe(404)
    expect((await test.call('GET', '/demo/widget')).status).toBe(404)
    const { key, identity_secret: identitySecret } = await makeWidget(test, { allowed_origins: [origin] })
    const customers = [{ userId: 'emily_carter_2955', name: 'Emily Carter' }]
    test.app.showDemo({ key, identitySecret, customers, help: [] })
    expect((await test.call('GET', '/demo')).status).toBe(200)
  })

  it('speaks Chinese where the browser does, and English a click later', async () => {
    const { page, context } = await openTab(browser, `${origin}/demo`, { locale: 'zh-CN' })
    await page.getByLabel('您是').selectOption('Emily Carter')
    await page.getByRole('button', { name: '打开在线客服' }).waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Open the chat' }).waitFor()
    await context.close()
  })

  it('shows the whole of it: an answer, an order that is changed with a yes, and a person at the desk', async () => {
    const shop = await openTab(browser, `${origin}/demo`, { locale: 'en-GB', viewport: { width: 1280, height: 800 } })
    const { page } = shop
    await page.getByLabel('You are').selectOption('Emily Carter')
    await page.getByText('Breeze Air Purifier').waitFor()
    await page.getByRole('button', { name: 'Open the chat' }).click()
    const write = async (text: string) => {
      await page.getByRole('textbox', { name: 'Write your question …' }).fill(text)
      await page.keyboard.press('Enter')
    }
    const replies = page.getByRole('article', { name: 'Assistant' })
    await write('What is the return window?')
    await replies.filter({ hasText: '7 days' }).waitFor()
    await write(`Please cancel my order ${ORDER}, I no longer need it`)
    await expect.poll(() => replies.count()).toBe(2)
    await replies
      .last()
      .getByText(/cancel/i)
      .first()
      .waitFor()
    await write('yes')
    await expect.poll(() => replies.count()).toBe(3)
    await replies
      .last()
      .getByText(/cancelled/i)
      .first()
      .waitFor()
    await write(`What is the state of my order ${ORDER}?`)
    await replies
      .nth(3)
      .getByText(/cancelled/i)
      .first()
      .waitFor()
    await expectClean(shop)

    const desk = await openConsole(browser, origin, { at: 'inbox?tab=waiting' })
    await write('I want to talk to a person')
    await desk.page.getByRole('link', { name: /emily_carter/ }).click()
    await desk.page.getByRole('button', { name: /^Take/ }).waitFor()
    await desk.page.keyboard.press('a')
    await desk.page.getByRole('tab', { name: 'Reply' }).waitFor()
    await desk.page.getByRole('form', { name: 'Reply or note' }).locator('textarea').fill('Hello Emily, here I am.')
    await desk.page.keyboard.press('Control+Enter')
    await page.getByText('Hello Emily, here I am.').waitFor()
    await write('Thank you!')
    await desk.page.getByRole('article', { name: 'Customer' }).getByText('Thank you!').waitFor()
    await desk.context.close()
    await shop.context.close()
  })
})
