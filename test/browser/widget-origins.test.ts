import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillPath, routesOf } from '../contract/support/routes.ts'
import { originOf } from '../support/event-stream.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { hasBrowser, openBrowser, openTab, servePage, type Tab } from './support/browser.ts'

const API_KEY = 'a secret of 24 characters'
const RETURNS = '# Returns\n\nYou may return anything within 30 days of delivery. Refunds take five days.\n'
const QUESTION = 'Within how many days of delivery may I return anything?'
const PASSWORD = 'correct horse battery'

/** Answers that a script of a page got, or why it got none. */
interface Got {
  status?: number
  text?: string
  error?: string
}

describe.runIf(hasBrowser)('pages of two origins', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let pages: Awaited<ReturnType<typeof servePage>>
  let shop: Tab
  let evil: Tab
  let key: string
  /** Main and public listener. */
  let services: string[]
  beforeAll(async () => {
    test = await createTestApp({
      API_KEY,
      PUBLIC_PORT: '1',
      WIDGET_MESSAGES_PER_MINUTE: '4',
      WIDGET_SESSIONS_PER_MINUTE: '0',
    })
    await test.upload(RETURNS, 'returns.md')
    const main = await originOf(test.app)
    const second = test.app.publicServer as Server
    await new Promise<void>((resolve) => void second.listen(0, '127.0.0.1', resolve))
    services = [main, `http://127.0.0.1:${(second.address() as AddressInfo).port}`]
    browser = await openBrowser()
    pages = await servePage()
    const body = { name: 'Shop', allowed_origins: [pages.at('shop')] }
    key = (await test.call('POST', '/api/v1/settings/widgets', body)).body.key
    shop = await openTab(browser, pages.at('shop'))
    evil = await openTab(browser, pages.at('evil'))
  })
  afterAll(async () => {
    await browser?.close()
    await pages?.close()
    await test?.close()
  })

  /** A request of a script of the page. */
  function ask(
    { page }: Tab,
    url: string,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Got> {
    return page.evaluate(
      async ([to, options]) => {
        try {
          const response = await fetch(to, options)
          return { status: response.status, text: await response.text() }
        } catch (error) {
          return { error: String(error) }
        }
      },
      [url, init as object] as const,
    )
  }
  const post = (tab: Tab, url: string, body: object, headers: Record<string, string> = {}) =>
    ask(tab, url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  async function begin(service: string): Promise<string> {
    const { status, text = '' } = await post(shop, `${service}/api/v1/widget/sessions`, { key })
    expect(status).toBe(201)
    return (JSON.parse(text) as { token: string }).token
  }

  it.each([0, 1])('use the widget from the listed one alone, at listener %d', async (number) => {
    // Counts begin anew with each minute.
    if (Date.now() % 60_000 > 50_000) await sleep(60_000 - (Date.now() % 60_000))
    const widget = `${services[number]}/api/v1/widget`
    const token = await begin(services[number] as string)
    const authorization = `Bearer ${token}`
    expect((await ask(shop, `${widget}/settings?key=${key}`)).status).toBe(200)
    const said = await post(
      shop,
      `${widget}/messages`,
      { message: QUESTION },
      { authorization, 'idempotency-key': 'one' },
    )
    expect(said.text).toContain('30 days')
    expect((await ask(shop, `${widget}/messages`, { headers: { authorization } })).text).toContain(QUESTION)
    const called = await post(shop, `${widget}/handoff`, {}, { authorization })
    expect(JSON.parse(called.text ?? '')).toMatchObject({ state: { status: 'waiting' } })

    // The answer to a flood is one that the page can read.
    await post(shop, `${widget}/messages`, { message: 'more' }, { authorization })
    await post(shop, `${widget}/messages`, { message: 'and more' }, { authorization })
    expect((await post(shop, `${widget}/messages`, { message: 'too much' }, { authorization })).status).toBe(429)
    expect((await ask(shop, `${widget}/messages`, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)

    const stored = async () => (await test.call('GET', '/api/v1/agent/sessions?limit=200')).body
    const before = await stored()
    for (const [path, init] of [
      [`settings?key=${key}`, {}],
      ['sessions', { method: 'POST', body: JSON.stringify({ key }) }],
      ['sessions', { method: 'POST', body: JSON.stringify({ key }), headers: { 'content-type': 'application/json' } }],
      ['messages', { headers: { authorization } }],
      ['events', { headers: { authorization } }],
      [
        'messages',
        { method: 'POST', body: '{"message":"hi"}', headers: { authorization, 'content-type': 'application/json' } },
      ],
      ['messages', { method: 'POST', body: '{"message":"hi"}', mode: 'no-cors' as const }],
      ['handoff', { method: 'POST', headers: { authorization } }],
    ] as const) {
      const { status = 0, text = '' } = await ask(
        evil,
        `${widget}/${path}`,
        init as RequestInit & { headers?: Record<string, string> },
      )
      expect([path, status, text]).toEqual([path, 0, ''])
    }
    expect(await stored()).toEqual(before)
  })

  it('follow what a person says, and show files, on the listed one', async () => {
    const [service = ''] = services
    const token = await begin(service)
    const authorization = `Bearer ${token}`
    const sent = await shop.page.evaluate(
      async ([url, bearer]) => {
        const form = new FormData()
        const png = Uint8Array.from(
          atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
          (character) => character.charCodeAt(0),
        )
        form.append('file', new File([png], 'lamp.png', { type: 'image/png' }))
        const response = await fetch(url, { method: 'POST', body: form, headers: { authorization: bearer } })
        return (await response.json()) as { attachment: { url: string } }
      },
      [`${service}/api/v1/widget/attachments`, authorization] as const,
    )
    const width = await shop.page.evaluate<number>(`new Promise((resolve) => {
      const image = new Image()
      image.onload = () => resolve(image.naturalWidth)
      image.onerror = () => resolve(0)
      image.src = ${JSON.stringify(service + sent.attachment.url)}
    })`)
    expect(width).toBe(1)

    await post(shop, `${service}/api/v1/widget/handoff`, { message: 'A lamp of the browser' }, { authorization })
    const { sessions } = (await test.call('GET', `/api/v1/agent/sessions?q=${encodeURIComponent('lamp browser')}`)).body
    const path = `/api/v1/agent/sessions/${sessions[0].session_id}`
    await test.call('POST', `${path}/accept`, { agent_id: 'ann' })
    const following = shop.page.evaluate(
      async ([url, bearer]) => {
        const response = await fetch(url, { headers: { authorization: bearer } })
        const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
        for (let text = ''; ; ) {
          const { value = '', done } = (await reader?.read()) ?? { done: true }
          text += value
          if (text.includes('Here I am') || done) return text
        }
      },
      [`${service}/api/v1/widget/events`, authorization] as const,
    )
    const writing = setInterval(() => void test.call('POST', `${path}/messages`, { content: 'Here I am' }), 300)
    expect(await following).toContain('Here I am')
    clearInterval(writing)
  })

  it('get nothing from any other path, also while somebody is logged in there', async () => {
    const [service = ''] = services
    await test.call('POST', '/api/v1/console/people', { name: 'ann', role: 'admin', password: PASSWORD })
    for (const tab of [shop, evil]) {
      const data = { name: 'ann', password: PASSWORD }
      const logIn = await tab.context.request.post(`${service}/api/v1/console/session`, { data })
      expect(logIn.status()).toBe(200)
    }
    const routes = routesOf(test.app).filter(({ path, method, group }) => {
      return group !== '' && !path.startsWith('/api/v1/widget/') && (method === 'GET' || method === 'POST')
    })
    expect(routes.length).toBeGreaterThan(100)
    const audit = async () => (await test.call('GET', '/api/v1/console/audit?limit=1')).body
    const before = await audit()
    for (const tab of [shop, evil]) {
      const readable = await tab.page.evaluate(
        async (asked) => {
          const read = []
          for (const { url, method } of asked) {
            const init: RequestInit = { method, credentials: 'include', signal: AbortSignal.timeout(2_000) }
            if (method === 'POST') init.body = '{}'
            const text = await fetch(url, init).then(
              (response) => response.text(),
              () => '',
            )
            if (text !== '') read.push(`${method} ${url}`)
          }
          return read
        },
        routes.map((route) => ({ url: service + fillPath(route), method: route.method })),
      )
      expect(readable).toEqual([])
    }
    expect(await audit()).toEqual(before)
  })

  it('cannot show the service in a frame', async () => {
    const [service = ''] = services
    for (const path of ['/', `/widget?key=${key}`, '/docs', '/api/v1/health']) {
      // A refused frame has a page of the browser in it, which nobody may look into.
      const shown = await evil.page.evaluate<boolean>(`new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.onload = () => resolve(frame.contentDocument !== null)
        frame.src = ${JSON.stringify(service + path)}
        document.body.append(frame)
      })`)
      expect(shown).toBe(false)
    }
    expect(evil.complaints.join('\n')).toMatch(/frame-ancestors|Framing|X-Frame-Options/)
  })
})
