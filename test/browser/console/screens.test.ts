import { networkInterfaces } from 'node:os'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectClean, expectCleanEverywhere, openConsole } from '../support/console.ts'
import { furnish, SCREENS } from '../support/screens.ts'
import { askAs } from '../support/shop.ts'

const FIRST_LOAD_BYTES = 60_000
const SCREEN_BYTES = 30_000

describe.runIf(hasBrowser)('every screen', { timeout: 180_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    test = await createTestApp()
    await furnish(test)
    browser = await openBrowser()
    origin = await originOf(test.app)
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  it.each(SCREENS)('%s is clean in both languages, light and dark', async (at, ready) => {
    await expectCleanEverywhere(browser, origin, at, (page) => page.locator(ready).first().waitFor())
  })

  it('is small: what is fetched first, and what each screen adds', async () => {
    const context = await browser.newContext()
    const first = await bytesOf(context, async (page) => {
      await page.goto(`${origin}/#/inbox?tab=all`)
      await page.locator('.inbox-row').first().waitFor()
    })
    expect(first).toBeLessThan(FIRST_LOAD_BYTES)
    for (const [at, ready] of SCREENS.filter(([name]) => !name.includes('/'))) {
      const added = await bytesOf(context, async (page) => {
        await page.goto(`${origin}/#/${at}`)
        await page.locator(ready).first().waitFor()
      })
      expect(added, at).toBeLessThan(SCREEN_BYTES)
    }
    await context.close()
  })

  it('goes on in twelve tabs at once, over one stream', async () => {
    const context = await browser.newContext()
    const pages = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const page = await context.newPage()
        await page.goto(`${origin}/#/inbox?tab=waiting`)
        return page
      }),
    )
    for (const page of pages) await page.getByText('Live', { exact: true }).waitFor()
    await askAs(test, 's-twelve', 'I want to talk to a person', 'twelve')
    for (const page of pages) await page.getByRole('link', { name: /twelve/ }).waitFor()
    // The tab that holds the stream goes, and another one takes over.
    await pages.shift()?.close()
    await askAs(test, 's-thirteen', 'I want to talk to a person', 'thirteen')
    for (const page of pages) await page.getByRole('link', { name: /thirteen/ }).waitFor()
    await context.close()
  })

  it('works over plain http on an address that is not localhost', async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)?.address
    if (!address) return
    const elsewhere = await createTestApp({ HOST: '0.0.0.0', API_KEY: 'a key that is long enough' })
    await elsewhere.call('POST', '/api/v1/console/people', {
      name: 'anna',
      role: 'admin',
      password: 'correct horse battery',
    })
    await elsewhere.app.listen({ port: 0, host: '0.0.0.0' })
    const port = new URL(`http://x:${(elsewhere.app.server.address() as { port: number }).port}`).port
    const tab = await openConsole(browser, `http://${address}:${port}`)
    const { page } = tab
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await page.getByLabel('Name').fill('anna')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.goto(`http://${address}:${port}/#/inbox?tab=waiting`)
    await elsewhere.call('POST', '/api/v1/chat', {
      message: 'I want to talk to a person',
      session_id: 's-1',
      user_id: 'far',
    })
    await page.getByRole('link', { name: /far/ }).click()
    await page.getByRole('button', { name: /^Take/ }).waitFor()
    await page.keyboard.press('a')
    await page.getByText('You have the conversation').waitFor()
    await expectClean(tab)
    await tab.context.close()
    await elsewhere.close()
  })

  it('says when the service is out of reach, and goes on when it is back', async () => {
    const tab = await openConsole(browser, origin, { at: 'inbox?tab=all' })
    const { page, context } = tab
    await page.locator('.inbox-row').first().waitFor()
    await context.setOffline(true)
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('moon')
    await page.getByText('What you see may be old').waitFor()
    await context.setOffline(false)
    await page.getByRole('link', { name: /moon/ }).waitFor()
    await expect.poll(() => page.getByText('What you see may be old').count()).toBe(0)
    await context.close()
  })

  it('is reached by keys alone, which a list shows and which can be switched off', async () => {
    const tab = await openConsole(browser, origin, { at: 'inbox?tab=all' })
    const { page, context } = tab
    await page.locator('.inbox-row').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Next conversation').waitFor()
    await expectClean(tab)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.locator('.inbox-row[aria-current]').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find anything' }).fill('play')
    await page.getByRole('option', { name: /Playground/ }).waitFor()
    await expectClean(tab)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Playground' }).waitFor()
    await page.getByRole('button', { name: /Account/ }).click()
    await page.getByLabel('Single-letter keys').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await context.close()
  })

  it('says on every screen how many wait', async () => {
    const { page, context } = await openConsole(browser, origin, { at: 'knowledge' })
    const badge = page.getByRole('link', { name: /^Inbox/ }).locator('.badge')
    await badge.waitFor()
    const before = Number(await badge.textContent())
    await askAs(test, 's-counted', 'I want to talk to a person', 'counted')
    await expect.poll(async () => Number(await badge.textContent())).toBe(before + 1)
    await context.close()
  })

  it('is used on a phone: screens, a list and what is chosen of it, and what is known of a conversation', async () => {
    const tab = await openConsole(browser, origin, { at: 'gaps', viewport: { width: 390, height: 844 } })
    const { page, context } = tab
    const row = page.locator('.split-row').first()
    await row.click()
    await page.getByRole('textbox', { name: 'Answer', exact: true }).waitFor()
    expect(await row.isVisible()).toBe(false)
    await expectClean(tab)
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await row.waitFor()
    await page.getByRole('link', { name: /^Inbox/ }).click()
    await page.getByRole('link', { name: /wang/ }).click()
    await page.getByRole('button', { name: 'About this conversation' }).click()
    await page.getByText('The customer asked for a person').waitFor()
    await expectClean(tab)
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.getByRole('link', { name: /wang/ }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await context.close()
  })

  it('keeps language and colours for the browser', async () => {
    const tab = await openConsole(browser, origin, { at: 'inbox' })
    const { page, context } = tab
    await page.getByRole('button', { name: '中文' }).click()
    await page.getByRole('navigation', { name: '页面' }).waitFor()
    await page.getByRole('button', { name: /账户/ }).click()
    await page.getByLabel('配色').selectOption('dark')
    await page.reload()
    await page.getByRole('navigation', { name: '页面' }).waitFor()
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark')
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN')
    await context.close()
  })

  /** Bytes that come over the network for pages and scripts, as they are sent. */
  async function bytesOf(context: BrowserContext, visit: (page: Page) => Promise<void>): Promise<number> {
    const page = await context.newPage()
    const sizes: Promise<number>[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (!pathname.startsWith('/api') && !response.fromServiceWorker()) {
        sizes.push(
          response
            .request()
            .sizes()
            .then(
              ({ responseBodySize }) => responseBodySize,
              () => 0,
            ),
        )
      }
    })
    await visit(page)
    // What a screen fetches late, such as charts, comes a moment after it.
    await page.waitForTimeout(400)
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    await page.close()
    return bytes
  }
})
