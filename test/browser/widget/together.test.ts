import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, encodeForm, type TestApp } from '../../support/test-app.ts'
import { makeWidget } from '../../support/widget.ts'
import { hasBrowser, openBrowser, openTab, type Tab } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { addPerson, loadShop, logIn } from '../support/shop.ts'
import { openShop, type ShopPage } from '../support/shop-page.ts'
import { openWire, type Wire } from '../support/wire.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Ways to have a page take text for more than it is: tags, links, attributes, encodings, Markdown. */
const PAYLOADS: readonly string[] = [
  ...[
    'script',
    'img src=x onerror',
    'svg onload',
    'body onload',
    'video src=x onerror',
    'details open ontoggle',
  ].flatMap((tag) => [
    `<${tag}=hack()>`,
    `<${tag.toUpperCase()}=hack()>`,
    `"><${tag}=hack()>`,
    `<${tag.replace(' ', '/')}=hack()>`,
  ]),
  '<script>hack()</script>',
  '<scr<script>ipt>hack()</scr</script>ipt>',
  '<iframe srcdoc="<script>parent.hack()</script>"></iframe>',
  '<iframe src="javascript:parent.hack()"></iframe>',
  '<object data="javascript:hack()"></object>',
  '<embed src="javascript:hack()">',
  '<form action="javascript:hack()"><button>go</button></form>',
  '<a href="javascript:hack()">a</a>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=hack()>',
  '<style>@import "javascript:hack()"</style>',
  '<link rel=stylesheet href="javascript:hack()">',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=javascript:hack()">',
  '<input autofocus onfocus=hack()>',
  '<template><img src=x onerror=hack()></template>',
  '<noscript><p title="</noscript><img src=x onerror=hack()>">',
  '[a](javascript:hack())',
  '[a](JaVaScRiPt:hack())',
  '[a](data:text/html,<script>hack()</script>)',
  '[a](vbscript:hack())',
  '[a](https://x" onmouseover="hack())',
  '![a](javascript:hack())',
  '**<img src=x onerror=hack()>**',
  '`<img src=x onerror=hack()>`',
  '- <img src=x onerror=hack()>',
  'a | <img src=x onerror=hack()>\n--- | ---\nb | c',
  '&lt;script&gt;hack()&lt;/script&gt;',
  '&#60;img src=x onerror=hack()&#62;',
  '\\u003cscript\\u003ehack()\\u003c/script\\u003e',
  '{{constructor.constructor("hack()")()}}',
  '$' + '{hack()}',
  "';hack();//",
]

describe.runIf(hasBrowser)('a customer and a person, side by side', { timeout: 180_000 }, () => {
  let test: TestApp
  let browser: Browser
  let shop: ShopPage
  let wire: Wire
  let customer: Tab
  let desk: Tab
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: 'a key that is long enough', WIDGET_MESSAGES_PER_MINUTE: '0' })
    await loadShop(test, ['en'])
    browser = await openBrowser()
    const origin = await originOf(test.app)
    wire = await openWire(origin)
    shop = await openShop(wire.origin)
    shop.key = (await makeWidget(test, { allowed_origins: [shop.at] })).key
    await addPerson(test, 'anna', 'admin')
    desk = await openConsole(browser, origin, { at: 'inbox?tab=waiting' })
    await logIn(desk.page, 'anna')
    customer = await openTab(browser, shop.at, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    await customer.page.getByRole('button', { name: 'Open the chat' }).click()
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
    await wire?.close()
    await test?.close()
  })

  const write = async (text: string) => {
    const field = customer.page.getByRole('textbox', { name: 'Write your question …' })
    await field.fill(text)
    await field.press('Enter')
  }
  const answer = async (text: string) => {
    await desk.page.getByRole('form', { name: 'Reply or note' }).locator('textarea').fill(text)
    await desk.page.keyboard.press('Control+Enter')
  }
  const shows = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor({ timeout: 60_000 })
  /** The customer's is cut with all that is open on it; the desk's browser is told that it is offline. */
  const cut = async (tab: Tab, work: () => Promise<unknown>) => {
    if (tab === customer) wire.cut()
    else await tab.context.setOffline(true)
    await work()
    if (tab === customer) wire.restore()
    else await tab.context.setOffline(false)
  }

  it('lose nothing and say nothing twice, with the network of each cut and restored at every step', async () => {
    const { page } = customer
    const notSent = page.getByRole('button', { name: 'Send again' })
    await cut(customer, async () => {
      await write('What is the return window?')
      await notSent.waitFor()
    })
    await page.getByRole('article', { name: 'Assistant' }).filter({ hasText: '7 days' }).waitFor()

    await cut(customer, () => page.getByRole('button', { name: 'Talk to a person' }).click())
    await page.getByRole('button', { name: 'Talk to a person' }).click()
    await page.getByText('A person has been called').waitFor()

    const row = desk.page.getByRole('list', { name: 'Conversations' }).getByRole('link').first()
    await row.click()
    await desk.page.getByRole('button', { name: /^Take/ }).waitFor()
    await cut(desk, async () => {
      await desk.page.keyboard.press('a')
      await desk.page.getByText('The service cannot be reached.').first().waitFor()
    })
    // Whoever waits is away as they are accepted, and has heard of nothing before.
    await cut(customer, async () => {
      await desk.page.keyboard.press('a')
      await desk.page.getByRole('tab', { name: 'Reply' }).waitFor()
    })
    await expect.poll(() => page.getByText('A person has been called').count()).toBe(0)

    await cut(desk, async () => {
      await answer('Hello, this is Anna.')
      await desk.page
        .locator('.is-unsent')
        .getByText(/^Not sent/)
        .waitFor()
    })
    await desk.page.getByRole('button', { name: 'Send again' }).click()
    await shows(page, 'Hello, this is Anna.')

    await cut(customer, async () => {
      await answer('Which lamp is it?')
      await shows(desk.page, 'Which lamp is it?')
    })
    await shows(page, 'Which lamp is it?')

    await cut(customer, async () => {
      await write('The Aurora.')
      await write('The small one.')
      await expect.poll(() => notSent.count()).toBe(2)
    })
    await shows(desk.page, 'The small one.')

    await cut(desk, async () => {
      await write('It flickers.')
      await shows(page, 'It flickers.')
    })
    await shows(desk.page, 'It flickers.')

    await cut(customer, async () => {
      await page.locator('input[type=file]').setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: PNG })
      await notSent.waitFor()
    })
    await page.getByRole('link', { name: 'lamp.png' }).waitFor()
    await desk.page.getByRole('log').getByText('lamp.png').first().waitFor()

    const field = page.getByRole('textbox', { name: 'Write your question …' })
    await cut(customer, () => field.pressSequentially('And'))
    // It is told every few seconds at most.
    const types = async () => {
      await field.press('x')
      return desk.page.getByText('The customer is writing …').count()
    }
    await expect.poll(types, { timeout: 20_000 }).toBe(1)
    await field.fill('')

    const said = ['Hello, this is Anna.', 'Which lamp is it?', 'The Aurora.', 'The small one.', 'It flickers.']
    for (const text of said) {
      // The desk's list shows the last words too, maybe before the conversation does.
      await desk.page.getByRole('log').getByText(text, { exact: true }).first().waitFor()
      expect(await page.getByText(text, { exact: true }).count(), text).toBe(1)
      expect(await desk.page.getByRole('log').getByText(text, { exact: true }).count(), text).toBe(1)
    }
    expect(await page.getByRole('link', { name: 'lamp.png' }).count()).toBe(1)
    const { body } = await test.call('GET', '/api/v1/agent/sessions?status=assigned')
    const id = body.sessions[0].session_id
    const { body: session } = await test.call('GET', `/api/v1/agent/sessions/${id}`)
    const own = session.history.filter(({ role }: { role: string }) => role === 'user')
    expect(own.map(({ content }: { content: string }) => content).slice(-4)).toEqual([
      'The Aurora.',
      'The small one.',
      'It flickers.',
      '[lamp.png]',
    ])

    await cut(customer, () => test.call('POST', `/api/v1/agent/sessions/${id}/resolve`))
    const stars = page.getByRole('button', { name: '4 of 5' })
    await stars.waitFor()
    await cut(customer, async () => {
      await stars.click()
      await page.getByText('No connection.').first().waitFor()
    })
    await stars.click()
    await page.getByText('Thank you!').waitFor()
    await expect.poll(() => stars.count()).toBe(0)
    await page.reload()
    await page.getByRole('link', { name: 'lamp.png' }).waitFor()
    expect(await stars.count()).toBe(0)
    // For the tests that follow a person has it again.
    await test.call('POST', `/api/v1/agent/sessions/${id}/take`, { agent_id: 'anna' })
  })

  it('see what the other writes as the text that it is, whatever that is', async () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(50)
    await customer.page.evaluate('window.hack = () => { window.hacked = true }')
    await desk.page.evaluate('window.hack = () => { window.hacked = true }')
    const { body } = await test.call('GET', '/api/v1/agent/sessions?status=assigned')
    const id = body.sessions[0].session_id
    for (const content of PAYLOADS) await test.call('POST', `/api/v1/agent/sessions/${id}/messages`, { content })
    const token = await customer.page.evaluate(`JSON.parse(localStorage.getItem('frontdesk.${shop.key}')).token`)
    for (const message of PAYLOADS) {
      await test.app.inject({
        method: 'POST',
        url: '/api/v1/widget/messages',
        headers: { authorization: `Bearer ${token}`, origin: shop.at },
        payload: { message },
      })
    }
    await write('That was all.')
    await shows(desk.page, 'That was all.')
    for (const { page } of [customer, desk]) {
      await page.locator('article').last().hover()
      expect(await page.evaluate('window.hacked')).toBeUndefined()
    }
    const inWidget = `document.querySelector('frontdesk-widget').shadowRoot.querySelector('.log')`
    expect(await customer.page.evaluate(harmful(inWidget))).toEqual([])
    expect(await desk.page.evaluate(harmful(`document.querySelector('[role=log]')`))).toEqual([])
    expect(
      customer.complaints.filter(
        (line) => !/ERR_(INTERNET_DISCONNECTED|EMPTY_RESPONSE|SOCKET|CONNECTION|INCOMPLETE|NETWORK)/.test(line),
      ),
    ).toEqual([])
    expect(
      desk.complaints.filter(
        (line) => !/ERR_(INTERNET_DISCONNECTED|EMPTY_RESPONSE|SOCKET|CONNECTION|INCOMPLETE|NETWORK)/.test(line),
      ),
    ).toEqual([])
  })

  it('see names, file names and sources as the text that they are, too', async () => {
    const few = PAYLOADS.filter((text) => !text.includes('\n')).slice(0, 12)
    for (const [index, text] of few.entries()) {
      const name = `odd-${index}.md`
      await test.upload(`# ${text}\n\nThe zeppelin number ${index} has ${index} gondolas.\n`, name, {
        register: 'true',
      })
    }
    const { body } = await test.call('GET', '/api/v1/agent/sessions?status=assigned')
    const id = body.sessions[0].session_id
    await test.call('POST', `/api/v1/agent/sessions/${id}/resolve`)
    for (const index of few.keys()) {
      await write(`How many gondolas has the zeppelin number ${index}?`)
      await expect
        .poll(() => customer.page.getByRole('article', { name: 'Assistant' }).last().textContent(), { timeout: 20_000 })
        .toMatch(/gondolas/)
    }
    for (const details of await customer.page.locator('details').all()) await details.locator('summary').click()
    await write('I want to talk to a person')
    await customer.page.getByText('A person has been called').waitFor()
    const token = await customer.page.evaluate(`JSON.parse(localStorage.getItem('frontdesk.${shop.key}')).token`)
    for (const [index, text] of few.entries()) {
      await test.call('POST', `/api/v1/agent/sessions/${id}/take`, { agent_id: text.slice(0, 60), force: true })
      await test.call('POST', `/api/v1/agent/sessions/${id}/messages`, { content: `From odd name ${index}` })
      const { body: form, contentType } = encodeForm(
        'A file',
        `${text.replaceAll('/', '')}.txt`.replaceAll('"', "'"),
        {},
      )
      await test.app.inject({
        method: 'POST',
        url: '/api/v1/widget/attachments',
        headers: { authorization: `Bearer ${token}`, origin: shop.at, 'content-type': contentType },
        payload: form,
      })
    }
    await customer.page.getByText(`From odd name ${few.length - 1}`).waitFor()
    await customer.page.reload()
    await customer.page.getByText('From odd name 0').waitFor()
    await desk.page.reload()
    await desk.page.getByRole('article').last().waitFor()
    for (const { page } of [customer, desk]) expect(await page.evaluate('window.hacked')).toBeUndefined()
    const inWidget = `document.querySelector('frontdesk-widget').shadowRoot.querySelector('.log')`
    expect(await customer.page.evaluate(harmful(inWidget))).toEqual([])
    expect(await desk.page.evaluate(harmful(`document.querySelector('[role=log]')`))).toEqual([])
  })

  it('cannot be put into a frame of somebody else', async () => {
    for (const path of ['/', '/api/v1/widget/settings', '/docs']) {
      const { headers } = await test.app.inject(path)
      expect(headers['content-security-policy'], path).toContain("frame-ancestors 'none'")
    }
  })

  /** Elements and attributes below a place that no text should become. */
  function harmful(place: string): string {
    return `[...${place}.querySelectorAll('*')].flatMap((element) => {
      const isOdd = ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'STYLE', 'LINK', 'BASE', 'META', 'IMG', 'VIDEO', 'MATH', 'TEMPLATE'].includes(element.tagName)
      const on = element.getAttributeNames().filter((name) => name.startsWith('on'))
      const link = element.getAttribute('href') ?? ''
      // Pictures that customers have sent are shown at the desk.
      const isSent = element.tagName === 'IMG' && element.getAttribute('src').startsWith('/api/v1/attachments/')
      return (isOdd && !isSent) || on.length > 0 || /^(?!https?:|#|\\/)[a-z]+:/i.test(link) ? [element.outerHTML] : []
    })`
  }
})
