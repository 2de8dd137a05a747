import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSample, showShop } from '../../../src/demo.ts'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser, openTab } from '../support/browser.ts'
import { expectClean, LOOKS, openConsole, violationsOf } from '../support/console.ts'

const ORDER = '#W2957946'

describe.runIf(hasBrowser)('the page of the sample shop', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    test = await createTestApp()
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
    const documents = await loadSample(test.app, '', { info: () => {} }, origin)
    await showShop(test.app, '', [origin], documents)
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

  it('says in Chinese how an order stands, and leads to the help centre', async () => {
    const { page, context } = await openTab(browser, `${origin}/demo?customer=wang_xiaoming_9647`, { locale: 'zh-CN' })
    await page.getByText('已送达').first().waitFor()
    expect(await page.locator('#orders').textContent()).not.toMatch(/delivered|pending|processed/)
    await page.getByRole('link', { name: '联系我们与服务时间' }).click()
    await page.getByRole('heading', { name: '客服电话' }).waitFor()
    await context.close()
  })

  it.each(['/demo', '/demo/help/products.en', '/demo/help/faq.zh'])('is clean in all looks: %s', async (path) => {
    for (const { language, scheme } of LOOKS) {
      const locale = language === 'zh' ? 'zh-CN' : 'en-GB'
      const tab = await openTab(browser, origin + path, { locale, colorScheme: scheme })
      await tab.page
        .getByRole('listitem')
        .or(tab.page.getByRole('heading', { level: 2 }))
        .first()
        .waitFor()
      await expectClean(tab)
      await tab.context.close()
    }
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
    const answer = replies.filter({ hasText: '7 days' })
    await answer.waitFor()
    await answer.getByText('Sources (1)').click()
    const [help] = await Promise.all([
      shop.context.waitForEvent('page'),
      answer.getByRole('link', { name: 'Open' }).click(),
    ])
    await help.getByRole('heading', { name: 'Return window for electronics' }).waitFor()
    expect(help.url()).toBe(`${origin}/demo/help/returns.en`)
    expect(await violationsOf(help)).toEqual([])
    await help.close()
    await write(`Please cancel my order ${ORDER}, I no longer need it`)
    await expect.poll(() => replies.count()).toBe(3)
    await replies
      .last()
      .getByText(/cancel/i)
      .first()
      .waitFor()
    await write('yes')
    await expect.poll(() => replies.count()).toBe(4)
    await replies
      .last()
      .getByText(/cancelled/i)
      .first()
      .waitFor()
    await write(`What is the state of my order ${ORDER}?`)
    await replies
      .nth(4)
      .getByText(/cancelled/i)
      .first()
      .waitFor()
    // The page shows it as it is now.
    await page
      .getByRole('listitem')
      .filter({ hasText: ORDER })
      .getByText(/· cancelled$/)
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
