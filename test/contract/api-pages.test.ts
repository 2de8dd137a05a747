import { load } from 'cheerio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ API_KEY: 'key', APP_NAME: 'A <b>shop</b>' })
})
afterAll(() => test.close())

const PAGES = ['/docs', '/docs/', '/docs/static/', '/redoc']

/** What a browser would fetch to show a page. */
async function assetsOf(page: string): Promise<{ html: string; assets: string[] }> {
  const response = await test.app.inject(page)
  expect(response.statusCode).toBe(200)
  const $ = load(response.body)
  const named = $('[src], link[href], [spec-url], [data], [srcset], form[action], base[href]').toArray()
  const urls = named.flatMap((element) => Object.entries(element.attribs))
  const references = urls.filter(([name]) => ['src', 'href', 'spec-url', 'data', 'srcset', 'action'].includes(name))
  return { html: response.body, assets: references.map(([, url]) => url) }
}

describe.each(PAGES)('%s', (page) => {
  it('names assets that this process serves, and no other address', async () => {
    const { assets } = await assetsOf(page)
    expect(assets.length).toBeGreaterThan(1)
    for (const asset of assets) {
      const url = new URL(asset, `http://here${page}`)
      expect(url.host, asset).toBe('here')
      const response = await test.app.inject(url.pathname)
      expect(response.statusCode, asset).toBe(200)
      expect(response.rawPayload.length, asset).toBeGreaterThan(0)
    }
  })

  it('runs no inline script, which its policy forbids', async () => {
    const { html } = await assetsOf(page)
    const $ = load(html)
    expect($('script:not([src])').length).toBe(0)
    const handlers = $('*')
      .toArray()
      .flatMap((element) => Object.keys('attribs' in element ? element.attribs : {}))
      .filter((name) => name.startsWith('on'))
    expect(handlers).toEqual([])
  })

  it('may load from this host alone', async () => {
    const { headers } = await test.app.inject(page)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  })

  it('is kept apart from what other pages may do with it', async () => {
    const { headers } = await test.app.inject(page)
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    })
    expect(headers).not.toHaveProperty('strict-transport-security')
  })
})

describe('the scripts and styles behind the pages', () => {
  const SCRIPTS = [
    '/redoc/redoc.standalone.js',
    '/docs/static/swagger-initializer.js',
    '/docs/static/swagger-ui.css',
    '/docs/static/index.css',
  ]

  it.each(SCRIPTS)('%s fetches no image, font or style from elsewhere', async (url) => {
    const { body, statusCode } = await test.app.inject(url)
    expect(statusCode).toBe(200)
    expect(body).not.toMatch(/url\(\s*["']?(?:https?:)?\/\//)
    expect(body).not.toMatch(/@import/)
    expect(body).not.toMatch(/["'`](?:https?:)?\/\/(?:cdn|fonts|unpkg|validator|online\.swagger|static)\b[^"'`]*["'`]/)
  })

  it('Swagger UI asks no validator, and reads the description from here', async () => {
    const { body } = await test.app.inject('/docs/static/swagger-initializer.js')
    expect(body).toMatch(/"validatorUrl":\s*null/)
    expect(body).toContain("resolveUrl('./json')")
    expect((await test.app.inject('/docs/json')).json()).toEqual((await test.app.inject('/openapi.json')).json())
  })

  it('shows the name of the program as text', async () => {
    for (const page of ['/docs', '/redoc']) {
      const $ = load((await test.app.inject(page)).body)
      expect($('title').text(), page).toBe('A <b>shop</b>')
      expect($('b').length).toBe(0)
    }
  })
})
