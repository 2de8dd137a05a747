import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { type MadeWidget, makeWidget, signIdentity } from '../../support/widget.ts'
import { hasBrowser, openBrowser, openTab, type Tab } from '../support/browser.ts'
import { expectClean, LOOKS } from '../support/console.ts'
import { loadShop } from '../support/shop.ts'

const KEY = { API_KEY: 'a key that is long enough' }
const WIDGET_BYTES = 15_000
/** A shop that forbids nearly everything, and whose styles are meant to break whatever stands on it. */
const HOSTILE = `<style>*{all:unset!important}div,button,section{display:none!important;font-size:90px!important;color:red!important}</style>`

describe.runIf(hasBrowser)('the widget on a page of a shop', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  let shop: Server
  let at: string
  let widget: MadeWidget
  let markup = ''
  let policy = ''
  beforeAll(async () => {
    test = await createTestApp(KEY)
    await loadShop(test)
    browser = await openBrowser()
    origin = await originOf(test.app)
    shop = createServer((_request, response) => {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        ...(policy ? { 'content-security-policy': policy } : {}),
      })
      const script = `<script async src="${origin}/widget.js" data-key="${widget.key}"></script>`
      response.end(
        `<!doctype html><html lang="en"><title>A shop</title>${markup.includes('<style') ? markup : ''}<main><h1>Lamps</h1></main>${markup.includes('<style') ? '' : markup}${script}`,
      )
    })
    await new Promise<void>((resolve) => void shop.listen(0, '127.0.0.1', resolve))
    at = `http://shop.localhost:${(shop.address() as AddressInfo).port}`
    widget = await makeWidget(test, { allowed_origins: [at] })
  })
  afterAll(async () => {
    await browser?.close()
    shop?.close()
    await test?.close()
  })

  afterEach(() => {
    policy = ''
    markup = ''
  })

  const open = async (options: Parameters<typeof openTab>[2] = {}): Promise<Tab> => {
    const tab = await openTab(browser, at, {
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    })
    await tab.page.getByRole('button', { name: /Open the chat|打开在线客服/ }).waitFor()
    return tab
  }
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Write your question …' }).fill(text)
    await page.keyboard.press('Enter')
  }

  it('is small, asks for nothing but itself and its settings before it is opened, and moves nothing', async () => {
    expect(readFileSync(join(import.meta.dirname, '../../../.cache/web/widget.js.gz')).length).toBeLessThan(
      WIDGET_BYTES,
    )
    const tab = await openTab(browser, 'about:blank')
    const asked: string[] = []
    tab.page.on('request', (request) => asked.push(request.url()))
    await tab.page.goto(at)
    await tab.page.getByRole('button', { name: 'Open the chat' }).waitFor()
    await tab.page.waitForTimeout(300)
    expect(asked.filter((url) => url.startsWith(origin)).map((url) => url.slice(origin.length).split('?')[0])).toEqual([
      '/widget.js',
      '/api/v1/widget/settings',
    ])
    const shift = await tab.page.evaluate(`new Promise((resolve) => {
      let sum = 0
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value }).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve(sum), 200)
    })`)
    expect(shift).toBe(0)
    const added = `(() => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      const fresh = new Set(Object.getOwnPropertyNames(frame.contentWindow))
      frame.remove()
      return Object.getOwnPropertyNames(window).filter((name) => !fresh.has(name))
    })()`
    expect(await tab.page.evaluate(added)).toEqual(['frontdesk'])
    await tab.context.close()
  })

  it('answers with its source, keeps the conversation over a reload, and takes a thumb', async () => {
    const tab = await open()
    const { page } = tab
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await write(page, 'What is the return window?')
    const reply = page.getByRole('article', { name: 'Assistant' }).filter({ hasText: '7 days' })
    await reply.waitFor()
    await reply.getByText('Sources (1)').click()
    await reply.getByText('Returns and refunds').waitFor()
    expect(await reply.locator('.text').textContent()).not.toMatch(/Source:/)
    await reply.getByRole('button', { name: 'That helped' }).click()
    await reply.getByRole('button', { name: 'That helped', pressed: true }).waitFor()
    await expectClean(tab)
    await page.reload()
    await reply.waitFor()
    await page.getByRole('article', { name: 'You' }).getByText('What is the return window?').waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
    await tab.context.close()
  })

  it('hands over to a person, whose messages arrive by themselves, once, in every tab', async () => {
    const tab = await open()
    const { page, context } = tab
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await write(page, 'What is the return window?')
    await page.getByRole('article', { name: 'Assistant' }).filter({ hasText: '7 days' }).waitFor()
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByText('A person has been called').waitFor()
    const { body } = await test.call('GET', '/api/v1/agent/sessions?status=pending')
    const session = body.sessions[0].session_id
    await test.call('POST', `/api/v1/agent/sessions/${session}/accept`, { agent_id: 'anna' })
    await test.call('POST', `/api/v1/agent/sessions/${session}/messages`, { content: 'Hello, this is Anna.' })
    await page.getByText('Hello, this is Anna.').waitFor()
    const other = await context.newPage()
    await other.goto(at)
    await other.getByRole('button', { name: 'Open the chat' }).click()
    await other.getByText('Hello, this is Anna.').waitFor()
    await other.getByRole('button', { name: 'Close the chat' }).first().click()
    await test.call('POST', `/api/v1/agent/sessions/${session}/typing`)
    await page.getByText(/is writing/).waitFor()
    await test.call('POST', `/api/v1/agent/sessions/${session}/messages`, { content: 'Which lamp is it?' })
    await page.getByText('Which lamp is it?').waitFor()
    await expect.poll(() => other.title()).toBe('(1) A shop')
    await write(page, 'The Aurora.')
    await expect
      .poll(async () => (await test.call('GET', `/api/v1/agent/sessions/${session}`)).body.history.at(-1).content)
      .toBe('The Aurora.')
    await test.call('POST', `/api/v1/agent/sessions/${session}/resolve`)
    await page.getByRole('button', { name: '5 of 5' }).click()
    await page.getByText('Thank you!').waitFor()
    for (const text of ['Hello, this is Anna.', 'Which lamp is it?', 'The Aurora.']) {
      expect(await page.getByText(text, { exact: true }).count(), text).toBe(1)
    }
    await tab.context.close()
  })

  it('loses nothing and says nothing twice when the network goes and comes', async () => {
    const tab = await open()
    const { page, context } = tab
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await write(page, 'What is the return window?')
    await page.getByRole('article', { name: 'Assistant' }).filter({ hasText: '7 days' }).waitFor()
    await context.setOffline(true)
    await write(page, 'And for electronics?')
    await page.getByText('Not sent').waitFor()
    await page.getByText('No connection.').waitFor()
    await context.setOffline(false)
    await expect.poll(() => page.getByRole('article', { name: 'Assistant' }).count()).toBe(2)
    await page.getByRole('article', { name: 'Assistant' }).nth(1).filter({ hasText: '15 days' }).waitFor()
    expect(await page.getByText('And for electronics?', { exact: true }).count()).toBe(1)
    await expect.poll(() => page.getByText('No connection.').count()).toBe(0)
    await tab.context.close()
  })

  it('stands on a page with a strict policy and hostile styles, in all looks', async () => {
    policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; style-src 'unsafe-inline'`
    markup = HOSTILE
    for (const { language, scheme } of LOOKS) {
      const tab = await open({ colorScheme: scheme, locale: language === 'zh' ? 'zh-CN' : 'en-GB' })
      await tab.page.getByRole('button', { name: 'Open the chat' }).click()
      const field = tab.page.getByRole('textbox', { name: 'Write your question …' })
      await field.waitFor()
      const size = await tab.page.evaluate(
        `getComputedStyle(document.querySelector('frontdesk-widget').shadowRoot.querySelector('textarea')).fontSize`,
      )
      expect(size).toBe('15px')
      expect(tab.complaints).toEqual([])
      await tab.context.close()
    }
    markup = ''
    policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}`
    const strict = await open()
    await strict.page.getByRole('button', { name: 'Open the chat' }).click()
    await expectClean(strict)
    policy = ''
    await strict.context.close()
  })

  it('never takes what somebody says for markup', async () => {
    const tab = await open()
    const { page } = tab
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await write(page, 'I want a person')
    await page
      .getByText(/called a colleague|person has been called/)
      .first()
      .waitFor()
    const { body } = await test.call('GET', '/api/v1/agent/sessions?status=pending')
    const session = body.sessions[0].session_id
    await test.call('POST', `/api/v1/agent/sessions/${session}/accept`, { agent_id: '<img src=x onerror=alert(1)>' })
    const payloads = [
      '<script>window.hacked=1</script>',
      '<img src=x onerror="window.hacked=1">',
      '[click](javascript:window.hacked=1)',
      '[click](data:text/html,<script>window.hacked=1</script>)',
      '<svg/onload=window.hacked=1>',
      '**<b onmouseover=window.hacked=1>bold</b>**',
      '`<iframe srcdoc="<script>parent.hacked=1</script>">`',
      '"><input autofocus onfocus=window.hacked=1>',
    ]
    for (const content of payloads) await test.call('POST', `/api/v1/agent/sessions/${session}/messages`, { content })
    for (const content of payloads.slice(0, 3)) await write(page, content)
    await page.getByText(payloads.at(-1) ?? '').waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    const inside = 'document.querySelector("frontdesk-widget").shadowRoot'
    expect(
      await page.evaluate(
        `${inside}.querySelectorAll('script,img,iframe,[onerror],[onfocus],a[href^="javascript"]').length`,
      ),
    ).toBe(0)
    await tab.context.close()
  })

  it('knows a customer whom the shop has signed, and is driven by the page', async () => {
    const tab = await open()
    const { page } = tab
    const identity = await signIdentity(widget.identity_secret, { sub: 'C1001', name: 'Mei' })
    await page.evaluate(
      `window.heard = []; for (const name of ['open', 'close', 'message']) frontdesk.on(name, (detail) => heard.push([name, detail]))`,
    )
    await page.evaluate(`frontdesk.identify(${JSON.stringify(identity)})`)
    await page.evaluate('frontdesk.open()')
    await write(page, 'Hello')
    await page.getByRole('article', { name: 'Assistant' }).first().waitFor()
    await expect
      .poll(async () => (await test.call('GET', '/api/v1/agent/sessions?user_id=C1001')).body.sessions.length)
      .toBe(1)
    const names = () => page.evaluate('heard.map(([name]) => name)')
    await expect.poll(names).toEqual(['open', 'message'])
    await page.evaluate('frontdesk.close()')
    expect(await names()).toEqual(['open', 'message', 'close'])
    await tab.context.close()
  })

  it('sends nothing while Chinese is put together, and is left by Escape', async () => {
    const tab = await open()
    const { page } = tab
    await page.getByRole('button', { name: 'Open the chat' }).focus()
    await page.keyboard.press('Enter')
    const field = page.getByRole('textbox', { name: 'Write your question …' })
    await field.fill('tui')
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    expect(await field.inputValue()).toBe('tui')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await tab.context.close()
  })
})
