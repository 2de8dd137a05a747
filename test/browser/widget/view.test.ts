import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { type MadeWidget, makeWidget } from '../../support/widget.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectClean, LOOKS, violationsOf } from '../support/console.ts'
import { loadShop } from '../support/shop.ts'
import { openShop, type ShopPage } from '../support/shop-page.ts'
import { fieldOf, openWidget, saidBy, sessionOf, write } from '../support/widget-page.ts'

const RETURNS = 'What is the return window?'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
const SHADOW = `document.querySelector('frontdesk-widget').shadowRoot`

describe.runIf(hasBrowser)('how the widget shows what goes on', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let shop: ShopPage
  let widget: MadeWidget
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: 'a key that is long enough', WIDGET_MESSAGES_PER_MINUTE: '0' })
    await loadShop(test, ['en'])
    browser = await openBrowser()
    shop = await openShop(await originOf(test.app))
    widget = await makeWidget(test, { allowed_origins: [shop.at] })
    shop.key = widget.key
  })
  afterEach(async () => {
    shop.reset()
    await change({ notice: { en: '', zh: '' } })
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
    await test?.close()
  })

  const change = (settings: object) => test.call('PUT', `/api/v1/settings/widgets/${widget.widget_id}`, { settings })
  const asAgent = (id: string, path: string, body: object = {}) =>
    test.call('POST', `/api/v1/agent/sessions/${id}/${path}`, body)
  const replies = (page: Page) => page.getByRole('article', { name: 'Assistant' })
  const answered = (page: Page) =>
    replies(page)
      .filter({ hasText: '7 days', has: page.getByRole('button', { name: 'That helped' }) })
      .first()
      .waitFor()
  const choose = (page: Page, name: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer: PNG })

  it('greets in words of its own where the shop has set none', async () => {
    const { page, context } = await openWidget(browser, shop)
    await page.getByText('Hello! How can I help you?').waitFor()
    shop.markup = '<html lang="zh">'
    await page.reload()
    await page.getByText('您好！请问有什么可以帮您？').waitFor()
    await context.close()
  })

  it('says below the field what the shop wants said, with its links, and in no alarm what went well', async () => {
    await change({ notice: { en: 'You accept our [privacy notes](https://shop.example/privacy).', zh: '' } })
    const { page, context } = await openWidget(browser, shop)
    const link = page.getByRole('link', { name: 'privacy notes' })
    expect(await link.getAttribute('href')).toBe('https://shop.example/privacy')
    const bottom = (await fieldOf(page).boundingBox()) ?? { y: 0, height: 0 }
    expect((await link.boundingBox())?.y).toBeGreaterThan(bottom.y + bottom.height - 1)
    await page.getByRole('button', { name: 'Leave a message' }).click()
    expect(await page.evaluate(`${SHADOW}.activeElement.type`)).toBe('email')
    await page.getByLabel('Your mail address').fill('mei@example.com')
    await page.getByLabel('Your message').fill('My lamp hums.')
    await page.getByRole('button', { name: 'Leave it' }).click()
    const remark = page.getByText('We have your message.')
    await remark.waitFor()
    const colours = `[...${SHADOW}.querySelectorAll('.notice, h2')].map((element) => getComputedStyle(element).color)`
    expect(new Set((await page.evaluate(colours)) as string[]).size).toBe(1)
    await context.close()
  })

  it('reads a reply out once, when it is whole, and leaves the focus where it is', async () => {
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    await page.evaluate(`{
      window.heard = []
      const log = ${SHADOW}.querySelector('[role=log]')
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          const live = target.closest('[aria-live]').getAttribute('aria-live')
          if (live === 'polite' && addedNodes.length > 0) heard.push([...addedNodes].map((node) => node.textContent).join(' '))
        }
      }).observe(log, { childList: true, subtree: true })
      window.states = []
      for (const status of ${SHADOW}.querySelectorAll('[role=status]')) {
        new MutationObserver(() => window.states.push(status.textContent)).observe(status, { childList: true })
      }
    }`)
    await write(page, 'And for electronics?')
    await expect.poll(() => replies(page).count()).toBe(2)
    await replies(page).last().getByRole('button', { name: 'That helped' }).waitFor()
    const heard = (await page.evaluate('heard')) as string[]
    expect(heard.filter((text) => text.includes('15 days'))).toHaveLength(1)
    expect(await page.evaluate('states')).toContain('Answering …')

    const thumb = replies(page).last().getByRole('button', { name: 'That helped' })
    await replies(page).last().getByText('Sources').click()
    await thumb.focus()
    await page.evaluate(`window.held = ${SHADOW}.activeElement; heard.length = 0`)
    await page.keyboard.press('Enter')
    await replies(page).last().getByRole('button', { name: 'That helped', pressed: true }).waitFor()
    expect(await page.evaluate(`${SHADOW}.activeElement === held`)).toBe(true)
    expect(await replies(page).last().locator('details[open]').count()).toBe(1)
    expect(await page.evaluate('heard')).toEqual([])
    await context.close()
  })

  it('stays at the newest when a notice makes room for itself', async () => {
    const { page, context } = await openWidget(browser, shop, { viewport: { width: 900, height: 460 } })
    await write(page, RETURNS)
    await answered(page)
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByText('A person has been called').waitFor()
    const id = await sessionOf(page, shop)
    await asAgent(id, 'accept', { agent_id: 'anna' })
    for (const n of [1, 2, 3, 4, 5, 6]) await asAgent(id, 'messages', { content: `Line ${n} of what Anna says.` })
    await page.getByText('Line 6').waitFor()
    const rest = () =>
      page.evaluate(
        `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(${SHADOW}.querySelector('.log'))`,
      )
    await expect.poll(rest).toBeLessThan(2)
    await context.setOffline(true)
    await page.getByText('No connection.').waitFor()
    await expect.poll(rest).toBeLessThan(2)
    await context.close()
  })

  it('shows a file on its way, sends it again with its key, and calls a person once', async () => {
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    const keys: (string | undefined)[] = []
    let release = () => {}
    for (const path of ['attachments', 'handoff']) {
      let isFirst = true
      await context.route(`**/api/v1/widget/${path}`, async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        keys.push(route.request().headers()['idempotency-key'])
        if (!isFirst) return route.continue()
        isFirst = false
        if (path === 'attachments') {
          await new Promise<void>((resolve) => {
            release = resolve
          })
        }
        // It arrives, and its answer does not.
        await route.fetch()
        await route.abort()
      })
    }
    await choose(page, 'lamp.png')
    await page.getByText('Sending …').waitFor()
    release()
    await page.getByRole('link', { name: 'lamp.png' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Send again' }).count()).toBe(0)
    expect(await saidBy(page, 'You')).toEqual([RETURNS, 'lamp.png'])
    expect(keys).toHaveLength(2)
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByText('A person has been called').waitFor()
    const id = await sessionOf(page, shop)
    const { body } = await test.call('GET', `/api/v1/agent/sessions/${id}`)
    const calls = body.history.filter(({ content }: { content: string }) => /person/.test(content))
    expect(calls.filter(({ role }: { role: string }) => role === 'user')).toHaveLength(1)
    expect(keys.slice(0, 2)).toEqual([keys[0], keys[0]])
    await context.close()
  })

  it('counts the replies of the assistant among what is new', async () => {
    const { page, context } = await openWidget(browser, shop)
    await page.evaluate(`window.heard = []; frontdesk.on('message', (text) => heard.push(text))`)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await context.route('**/api/v1/widget/messages', async (route) => {
      await held
      await route.continue()
    })
    await write(page, RETURNS)
    await page.keyboard.press('Escape')
    release()
    await expect.poll(() => page.title()).toBe('(1) A shop')
    await page.getByRole('button', { name: 'Open the chat (1)' }).waitFor()
    expect(await page.evaluate('heard')).toEqual([expect.stringContaining('7 days')])
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await expect.poll(() => page.title()).toBe('A shop')
    await context.close()
  })

  it('raises no keyboard on a phone, lets nothing be zoomed, and keeps above the keyboard', async () => {
    const { page, context } = await openWidget(browser, shop, PHONE)
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate(`${SHADOW}.activeElement.className`)).toBe('panel')
    const size = await page.evaluate(`getComputedStyle(${SHADOW}.querySelector('textarea')).fontSize`)
    expect(size).toBe('16px')
    // As a keyboard does: less of the page is seen.
    await page.evaluate(
      `Object.defineProperty(visualViewport, 'height', { value: 340 }); visualViewport.dispatchEvent(new Event('resize'))`,
    )
    await expect.poll(async () => (await page.getByRole('dialog').boundingBox())?.height).toBe(340)
    const field = (await fieldOf(page).boundingBox()) ?? { y: 0, height: 0 }
    expect(field.y + field.height).toBeLessThan(340)
    await context.close()
  })

  it('has nothing wrong in any kind of entry, in all looks', async () => {
    const { page, context, complaints } = await openWidget(browser, shop, { viewport: { width: 400, height: 900 } })
    await write(page, RETURNS)
    await answered(page)
    await page.getByText('Sources (1)').click()
    await write(page, 'How long can I return headphones')
    await page.locator('.choice').first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByText('A person has been called').waitFor()
    const id = await sessionOf(page, shop)
    await asAgent(id, 'accept', { agent_id: 'anna' })
    await asAgent(id, 'messages', { content: 'See **this** or `that` at https://shop.example\n\n- one\n- two' })
    await asAgent(id, 'messages', { content: 'a | b\n--- | ---\nc | d' })
    await choose(page, 'lamp.png')
    await page.getByRole('link', { name: 'lamp.png' }).waitFor()
    await asAgent(id, 'resolve')
    await page.getByRole('button', { name: '5 of 5' }).waitFor()
    for (const { scheme } of LOOKS) {
      await page.emulateMedia({ colorScheme: scheme })
      await expectClean({ page, complaints })
    }
    await context.setOffline(true)
    await write(page, 'And one more')
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violationsOf(page)).toEqual([])
    }
    await context.close()
  })
})
