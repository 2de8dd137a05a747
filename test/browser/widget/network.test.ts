import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { type MadeWidget, makeWidget, signIdentity } from '../../support/widget.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { loadShop } from '../support/shop.ts'
import { openShop, type ShopPage } from '../support/shop-page.ts'
import { openWidget, saidBy, sessionOf, write } from '../support/widget-page.ts'
import { openWire, type Wire } from '../support/wire.ts'

const MESSAGES = '**/api/v1/widget/messages*'
const EVENTS = '**/api/v1/widget/events*'
const RETURNS = 'What is the return window?'

describe.runIf(hasBrowser)('the widget, where a network or a word does not last', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  let shop: ShopPage
  let widget: MadeWidget
  let wire: Wire
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: 'a key that is long enough', WIDGET_MESSAGES_PER_MINUTE: '0' })
    await loadShop(test, ['en'])
    browser = await openBrowser()
    origin = await originOf(test.app)
    wire = await openWire(origin)
    shop = await openShop(origin)
    widget = await makeWidget(test, { allowed_origins: [shop.at] })
    shop.key = widget.key
  })
  afterEach(() => shop.reset())
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
    await wire?.close()
    await test?.close()
  })

  /** A reply that is whole can be judged; until then its message is sent again by a page that comes next. */
  const answered = (page: Page, text = '7 days') =>
    page
      .getByRole('article', { name: 'Assistant' })
      .filter({ hasText: text, has: page.getByRole('button', { name: 'That helped' }) })
      .first()
      .waitFor()
  const asAgent = (id: string, path: string, body: object = {}) =>
    test.call('POST', `/api/v1/agent/sessions/${id}/${path}`, body)
  const takeAndWrite = async (id: string, content: string) => {
    await asAgent(id, 'take', { agent_id: 'anna' })
    await asAgent(id, 'messages', { content })
  }
  const storedOf = async (id: string): Promise<string[]> => {
    const { body } = await test.call('GET', `/api/v1/agent/sessions/${id}`)
    return (body.history ?? [])
      .filter(({ role }: { role: string }) => role === 'user')
      .map(({ content }: { content: string }) => content)
  }

  it('shows what a person wrote while the network was cut, where nothing had ever come before', async () => {
    shop.service = wire.origin
    const { page, context } = await openWidget(browser, shop)
    const connected = page.waitForResponse(EVENTS)
    await write(page, RETURNS)
    await answered(page)
    await connected
    const id = await sessionOf(page, shop)
    wire.cut()
    await takeAndWrite(id, 'Written while you were away.')
    wire.restore()
    await page.getByText('Written while you were away.').waitFor()
    expect(await page.getByText('Written while you were away.').count()).toBe(1)
    await context.close()
  })

  it('shows what a person wrote between the reading of what was said and the listening', async () => {
    const { page, context } = await openWidget(browser, shop)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = new Promise<void>((resolve) => {
      void context.route(EVENTS, async (route) => {
        resolve()
        await released
        await route.continue()
      })
    })
    await write(page, RETURNS)
    await answered(page)
    await held
    await takeAndWrite(await sessionOf(page, shop), 'Written before you listened.')
    release()
    await page.getByText('Written before you listened.').waitFor()
    expect(await page.getByText('Written before you listened.').count()).toBe(1)
    await context.close()
  })

  it('sends by itself what could not be sent, in its order, and once', async () => {
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    await context.setOffline(true)
    const texts = ['And for electronics?', 'And for lamps?', 'And for gloves?']
    for (const text of texts) await write(page, text)
    await expect.poll(() => page.getByRole('button', { name: 'Send again' }).count()).toBe(3)
    await page.getByText('No connection.').waitFor()
    await context.setOffline(false)
    await expect.poll(() => page.getByRole('article', { name: 'Assistant' }).count(), { timeout: 20_000 }).toBe(4)
    await expect.poll(() => saidBy(page, 'You')).toEqual([RETURNS, ...texts])
    await expect.poll(async () => storedOf(await sessionOf(page, shop))).toEqual([RETURNS, ...texts])
    expect(await page.getByText('No connection.').count()).toBe(0)
    await context.close()
  })

  it('keeps over a reload what could not be sent, with its key, and shows once what had arrived all the same', async () => {
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    const keys: (string | undefined)[] = []
    let answer: 'lose' | 'hold' = 'lose'
    let release = () => {}
    await context.route(MESSAGES, async (route: Route) => {
      // The page cannot read that it has arrived, either.
      if (route.request().method() !== 'POST') return answer === 'lose' ? route.abort() : route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      // It arrives, and its answer does not.
      if (answer === 'lose') {
        await route.fetch()
        return route.abort()
      }
      await new Promise<void>((resolve) => {
        release = resolve
      })
      await route.continue()
    })
    await write(page, 'And for electronics?')
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    const id = await sessionOf(page, shop)
    await expect.poll(() => storedOf(id)).toEqual([RETURNS, 'And for electronics?'])
    answer = 'hold'
    const before = keys.length
    await page.reload()
    await answered(page)
    await expect.poll(() => keys.length).toBeGreaterThan(before)
    await expect.poll(() => saidBy(page, 'You')).toEqual([RETURNS, 'And for electronics?'])
    release()
    await expect.poll(() => page.evaluate(`JSON.parse(sessionStorage['frontdesk.${shop.key}']).unsent`)).toEqual([])
    await expect.poll(() => saidBy(page, 'You')).toEqual([RETURNS, 'And for electronics?'])
    await expect.poll(() => storedOf(id)).toEqual([RETURNS, 'And for electronics?'])
    expect(new Set(keys).size).toBe(1)
    await context.close()
  })

  it('goes on with a new token where the one that it has is not taken any more', async () => {
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    let refusals = 0
    await context.route(MESSAGES, (route) => {
      if (refusals++ > 0) return route.continue()
      const headers = { 'access-control-allow-origin': shop.at }
      return route.fulfill({ status: 401, headers, json: { detail: 'Authorization: the token has expired' } })
    })
    const renewed = page.waitForRequest('**/api/v1/widget/sessions')
    await write(page, 'And for electronics?')
    await answered(page, '15 days')
    expect((await renewed).postDataJSON()).toHaveProperty('token')
    await expect.poll(() => saidBy(page, 'You')).toEqual([RETURNS, 'And for electronics?'])
    await context.close()
  })

  it('makes a token anew before it ends, so that the conversation goes on', async () => {
    const { page, context } = await openWidget(browser, shop, { isOpened: false })
    const tokens: unknown[] = []
    await context.route('**/api/v1/widget/sessions', async (route) => {
      const response = await route.fetch()
      const begun = await response.json()
      tokens.push(route.request().postDataJSON().token)
      // The first is one that has an hour to go.
      const ends = tokens.length === 1 ? new Date(Date.now() + 3_600_000).toISOString() : begun.expires_at
      await route.fulfill({ response, json: { ...begun, expires_at: ends } })
    })
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await write(page, RETURNS)
    await answered(page)
    await write(page, 'And for electronics?')
    await answered(page, '15 days')
    expect(tokens).toEqual([undefined, expect.any(String)])
    await expect.poll(async () => storedOf(await sessionOf(page, shop))).toEqual([RETURNS, 'And for electronics?'])
    await context.close()
  })

  it('says where no answer came, and asks again under the same key', async () => {
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    const keys: unknown[] = []
    await context.route(MESSAGES, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      const body = `event: start\ndata: {"message_id":"msg_failed"}\n\nevent: error\ndata: {"message":"It failed"}\n\n`
      const headers = { 'access-control-allow-origin': shop.at, 'content-type': 'text/event-stream' }
      await route.fulfill({ status: 200, headers, body })
    })
    await write(page, 'And for electronics?')
    await page.getByText('No answer came').waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    await answered(page, '15 days')
    expect(await page.getByText('No answer came').count()).toBe(0)
    await expect.poll(() => saidBy(page, 'You')).toEqual([RETURNS, 'And for electronics?'])
    expect(keys).toEqual([keys[0], keys[0]])
    await context.close()
  })

  it('begins anew, with what is being said, where the conversation cannot go on', async () => {
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    await page.evaluate(`localStorage.setItem('frontdesk.${shop.key}', '{"token":"of.another.time"}')`)
    await write(page, 'And for electronics?')
    await answered(page, '15 days')
    await expect.poll(() => saidBy(page, 'You')).toEqual(['And for electronics?'])
    await context.close()
  })

  it('says that the word about the customer has ended, and wakes with another one', async () => {
    const now = Math.floor(Date.now() / 1000)
    const word = (claims: object = {}) => signIdentity(widget.identity_secret, { sub: 'C2002', name: 'Mei', ...claims })
    shop.attributes = `data-identity="${await word()}"`
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    // A page that is left before the reply is whole sends the message again.
    await expect.poll(() => page.evaluate(`JSON.parse(sessionStorage['frontdesk.${shop.key}']).unsent`)).toEqual([])
    shop.attributes = `data-identity="${await word({ exp: now - 3_600 })}"`
    await page.goto('about:blank')
    await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
      const wait = setInterval(() => {
        if (!window.frontdesk) return
        clearInterval(wait)
        frontdesk.on('identity', () => { document.title = 'Who is it?' })
      }, 1)
    })`)
    await page.goto(shop.at)
    await page.getByText('We do not know any more who you are.').waitFor()
    await expect.poll(() => page.title()).toBe('Who is it?')
    await write(page, 'And for electronics?')
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await page.evaluate(`frontdesk.identify(${JSON.stringify(await word())})`)
    await answered(page, '15 days')
    expect(await page.getByText('We do not know any more who you are.').count()).toBe(0)
    await expect.poll(() => saidBy(page, 'You')).toEqual([RETURNS, 'And for electronics?'])
    const { body } = await test.call('GET', '/api/v1/agent/sessions?user_id=C2002')
    expect(body.sessions).toHaveLength(1)
    await context.close()
  })

  it('sends nothing in the name of another customer that was written by the one before', async () => {
    const word = (sub: string) => signIdentity(widget.identity_secret, { sub })
    shop.attributes = `data-identity="${await word('C3001')}"`
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    await context.setOffline(true)
    await write(page, 'And for electronics?')
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await page.evaluate(`frontdesk.identify(${JSON.stringify(await word('C3002'))})`)
    await context.setOffline(false)
    await expect.poll(() => page.getByRole('article', { name: 'You' }).count()).toBe(0)
    await write(page, 'Hello')
    await page.getByRole('article', { name: 'Assistant' }).first().waitFor()
    await expect.poll(async () => storedOf(await sessionOf(page, shop))).toEqual(['Hello'])
    await context.close()
  })

  it('asks for nothing in a tab where nobody has opened it, whatever goes on in others', async () => {
    const first = await openWidget(browser, shop)
    await write(first.page, RETURNS)
    await answered(first.page)
    const second = await first.context.newPage()
    const asked: string[] = []
    second.on('request', (request) => {
      if (request.url().startsWith(origin)) asked.push(new URL(request.url()).pathname)
    })
    await second.goto(shop.at)
    await second.getByRole('button', { name: 'Open the chat' }).waitFor()
    const word = await signIdentity(widget.identity_secret, { sub: 'C4001' })
    await second.evaluate(`frontdesk.identify(${JSON.stringify(word)})`)
    await write(first.page, 'And for electronics?')
    await answered(first.page, '15 days')
    await takeAndWrite(await sessionOf(first.page, shop), 'Said in every tab.')
    await expect.poll(() => second.title()).toMatch(/^\(\d\) /)
    expect(asked).toEqual(['/widget.js', '/api/v1/widget/settings'])
    await first.context.close()
  })

  it('stays open over pages of the shop, without taking the focus, and waits for a person where it was closed', async () => {
    const { page, context } = await openWidget(browser, shop)
    await write(page, RETURNS)
    await answered(page)
    await page.goto(`${shop.at}/lamps`)
    await answered(page)
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
    const id = await sessionOf(page, shop)
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByText('A person has been called').waitFor()
    await page.getByRole('button', { name: 'Close the chat' }).first().click()
    await page.goto('about:blank')
    await asAgent(id, 'accept', { agent_id: 'anna' })
    await asAgent(id, 'messages', { content: 'Hello, this is Anna.' })
    await page.goto(`${shop.at}/tables`)
    await expect.poll(() => page.title()).toMatch(/^\(\d\) A shop$/)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await asAgent(id, 'resolve')
    await context.close()
  })

  it('says anew which place one has among those that wait', async () => {
    const { page: other, context: others } = await openWidget(browser, shop)
    await write(other, RETURNS)
    await answered(other)
    await other.getByRole('button', { name: 'Talk to a person' }).click()
    await other.getByText(/Your place: \d/).waitFor()
    const tab = await openWidget(browser, shop, { isOpened: false })
    await tab.page.clock.install()
    await tab.page.reload()
    const { page, context } = tab
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await write(page, RETURNS)
    await answered(page)
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByText('Your place: 2').waitFor()
    await asAgent(await sessionOf(other, shop), 'accept', { agent_id: 'anna' })
    await page.clock.fastForward(20_000)
    await page.getByText('Your place: 1').waitFor()
    await others.close()
    await context.close()
  })
})
