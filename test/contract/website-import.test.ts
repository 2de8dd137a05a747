import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type StubServer, startStubServer } from '../support/stub-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const IMPORT = '/api/v1/knowledge/import/website'

interface Page {
  status?: number
  contentType?: string
  body: string
}

const html = (title: string, body: string, head = ''): Page => ({
  contentType: 'text/html',
  body: `<html><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`,
})

let site: StubServer
let test: TestApp
let asked: string[] = []
let agents = new Set<string>()
let pages: Record<string, Page> = {}
beforeAll(async () => {
  site = await startStubServer(({ url, headers }) => {
    asked.push(`${url.pathname}${url.search}`)
    agents.add(String(headers['user-agent']))
    return pages[`${url.pathname}${url.search}`] ?? { status: 404, body: 'nothing here' }
  })
  test = await createTestApp({ WEBSITE_IMPORT_HOSTS: new URL(site.origin).host })
})
afterAll(async () => {
  await test.close()
  await site.close()
})
beforeEach(() => {
  asked = []
  agents = new Set()
  pages = {
    '/robots.txt': { body: 'User-agent: *\nDisallow: /private\n' },
    '/help/': html(
      'Help',
      '<p>Welcome to the help pages.</p><a href="a">A</a> <a href="/help/b?utm_source=x#top">B</a>',
    ),
    '/help/a': html(
      'Kettles',
      '<p>Kettles may be returned within 21 days.</p><a href="/private/x">P</a><a href="/blog">Blog</a>',
    ),
    '/help/b': html(
      'Lanterns',
      '<p>Lanterns weigh 300 grams.</p><a href="https://elsewhere.example/">E</a><a href="c.png">i</a>',
    ),
    '/help/c.png': { contentType: 'image/png', body: 'png' },
    '/blog': html('Blog', '<p>What we did last week.</p>'),
    '/private/x': html('Secret', '<p>The secret of the shop.</p>'),
  }
})

const start = (body: object, on = test) => on.call('POST', IMPORT, { url: `${site.origin}/help/`, ...body })

/** The report of a run that was started, when it is over. */
async function ended(runId: string) {
  for (let i = 0; i < 200; i++) {
    const { body } = await test.call('GET', `${IMPORT}/${runId}`)
    if (body.state !== 'running')
      return { run: body, report: body.result && (await test.call('GET', body.result)).body }
    await pause(50)
  }
  throw new Error('The import did not end')
}
async function imported(body: object) {
  const { status, body: run } = await start(body)
  expect([status, run]).toEqual([202, expect.objectContaining({ state: 'running' })])
  return ended(run.run_id)
}
const find = async (query: string) =>
  (await test.call('POST', '/api/v1/knowledge/search', { query, top_k: 3 })).body.hits[0]

describe('an import of a website', () => {
  it('takes in the pages that links lead to, with titles and addresses, and nothing that it must not', async () => {
    const { run, report } = await imported({})
    expect(run).toMatchObject({ state: 'finished', stage: 'reading', subject: `${site.origin}/help/` })
    expect(report).toMatchObject({ imported: 4, unchanged: 0, skipped: 1, failed: 0, gone: 0, left: 0, failures: [] })
    expect(asked.filter((path) => path.startsWith('/private'))).toEqual([])
    expect(asked.filter((path) => path === '/help/b')).toHaveLength(1)
    expect([...agents]).toEqual(['Frontdesk (website import)'])
    expect(await find('How long may kettles be returned?')).toMatchObject({
      ...{ source: `${site.origin}/help/a`, url: `${site.origin}/help/a`, title: 'Kettles' },
    })
  })

  it('leaves pages alone that say the same, and makes a new version of one that does not', async () => {
    pages['/help/a'] = html('Kettles', '<p>Kettles may be returned within 40 days.</p>')
    pages['/help/b'] = {
      ...(pages['/help/b'] as Page),
      body: `<!-- ${Math.random()} --><script>x=1</script>${pages['/help/b']?.body}`,
    }
    const { report } = await imported({})
    expect(report).toMatchObject({ imported: 1, unchanged: 2 })
    const hit = await find('How long may kettles be returned?')
    expect([hit.version, hit.content]).toEqual(['v2', expect.stringContaining('40 days')])
  })

  it('leaves a page alone whose document somebody archived', async () => {
    const { items } = (await test.call('GET', '/api/v1/knowledge/documents?q=help/b')).body
    await test.call('POST', `/api/v1/knowledge/documents/${items[0].doc_id}/archive`)
    pages['/help/b'] = html('Lanterns', '<p>Lanterns weigh 900 grams.</p>')
    expect((await imported({})).report).toMatchObject({ failed: 0 })
    expect((await find('How heavy are lanterns?'))?.source).not.toBe(`${site.origin}/help/b`)
    await test.call('POST', `/api/v1/knowledge/documents/${items[0].doc_id}/rollback`, { target_version: 'v1' })
    expect((await imported({})).report).toMatchObject({ imported: 1 })
    expect((await find('How heavy are lanterns?')).content).toContain('900')
  })

  it('stays below a prefix, and within the limit', async () => {
    expect((await imported({ path_prefix: '/help/' })).report.skipped).toBe(1)
    expect(asked).not.toContain('/blog')
    const { report } = await imported({ limit: 1 })
    expect(report).toMatchObject({ imported: 0, unchanged: 1, left: 2 })
  })

  it('reads a sitemap, also one of sitemaps, in place of links', async () => {
    const loc = (path: string) => `<url><loc>${site.origin}${path}</loc></url>`
    pages['/sitemap.xml'] = {
      body: `<sitemapindex><sitemap><loc>${site.origin}/more.xml</loc></sitemap></sitemapindex>`,
    }
    pages['/more.xml'] = {
      body: `<urlset>${loc('/blog')}${loc('/private/x')}${loc('/none')}<url><loc>https://x.example/</loc></url></urlset>`,
    }
    const { report } = await imported({ sitemap: `${site.origin}/sitemap.xml` })
    expect(report).toMatchObject({ unchanged: 1, gone: 1, failed: 0 })
    expect(asked).not.toContain('/help/')
    expect(asked).not.toContain('/private/x')
  })

  it('goes by noindex, nofollow, canonical links and redirects, and never to another host', async () => {
    pages['/help/'] = html(
      'Help',
      '<a href="/hidden">1</a><a href="/copy">2</a><a href="/moved">3</a><a rel="nofollow" href="/blog">4</a><a href="/broken">5</a>',
    )
    pages['/hidden'] = html('Hidden', '<p>Hidden text.</p>', '<meta name="robots" content="noindex, nofollow">')
    pages['/copy'] = html('Copy', '<p>The original.</p>', '<link rel="canonical" href="/original">')
    pages['/original'] = html('Original', '<p>The original page about gongs.</p>')
    pages['/broken'] = { status: 500, body: 'oh' }
    const { report } = await imported({})
    expect(report).toMatchObject({ failed: 1, skipped: 2, gone: 1 })
    expect(report.failures).toEqual([{ url: `${site.origin}/broken`, reason: 'the server answered 500' }])
    expect(asked).not.toContain('/blog')
    expect(await find('original page about gongs')).toMatchObject({ source: `${site.origin}/original` })
  })

  it('is one at a time, followed and cancelled', async () => {
    const links = Array.from({ length: 60 }, (_, i) => `<a href="/many/${i}">${i}</a>`).join('')
    pages['/help/'] = html('Help', links)
    for (let i = 0; i < 60; i++) pages[`/many/${i}`] = html(`Many ${i}`, `<p>Page number ${i} of many.</p>`)
    const { body: run } = await start({})
    expect((await start({})).status).toBe(409)
    await pause(600)
    const { body: going } = await test.call('GET', `${IMPORT}/${run.run_id}`)
    expect(going.progress.total).toBeGreaterThan(going.progress.done)
    expect((await test.call('DELETE', `${IMPORT}/${run.run_id}`)).status).toBe(202)
    expect((await ended(run.run_id)).run).toMatchObject({ state: 'cancelled', result: null })
    expect(asked.length).toBeLessThan(50)
    expect((await test.call('DELETE', `${IMPORT}/${run.run_id}`)).status).toBe(409)
    expect((await test.call('GET', `${IMPORT}?limit=1`)).body.runs).toMatchObject([{ run_id: run.run_id }])
  })
})

describe('what is refused', () => {
  it.each([
    [{}, 'url'],
    [{ url: 'ftp://shop.example/' }, 'url'],
    [{ url: 'https://user:pass@shop.example/' }, 'url'],
    [{ url: 'https://shop.example/', sitemap: 'https://other.example/sitemap.xml' }, 'sitemap'],
    [{ url: 'https://shop.example/', limit: 0 }, 'limit'],
    [{ url: 'https://shop.example/', path_prefix: 'help' }, 'path_prefix'],
  ])('answers 422 for %j and names %s', async (body, field) => {
    const { status, body: answer } = await test.call('POST', IMPORT, body)
    expect([status, answer.detail]).toEqual([422, expect.stringContaining(field)])
  })

  it('reads no private address that the setting does not name', async () => {
    const strict = await createTestApp()
    for (const url of [
      `${site.origin}/help/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]:1/',
      `http://localhost:${new URL(site.origin).port}/`,
    ]) {
      const { status, body } = await strict.call('POST', IMPORT, { url })
      expect([url, status, body.detail]).toEqual([url, 400, expect.stringMatching(/not public|private address/)])
    }
    expect(asked).toEqual([])
    expect((await strict.call('GET', IMPORT)).body.runs).toEqual([])
    await strict.close()
  })

  it('reads no site whose rules it cannot read or that forbids it', async () => {
    pages['/robots.txt'] = { status: 503, body: 'later' }
    expect((await start({})).status).toBe(400)
    pages['/robots.txt'] = { body: 'User-agent: frontdesk\nDisallow: /' }
    expect((await imported({})).report).toMatchObject({ imported: 0, unchanged: 0, failed: 0 })
    expect(asked.filter((path) => path !== '/robots.txt')).toEqual([])
  })

  it('knows no other runs and reports, and asks for a key', async () => {
    for (const path of ['/run_none', '/reports/import_none'])
      expect((await test.call('GET', `${IMPORT}${path}`)).status).toBe(404)
    expect((await test.call('DELETE', `${IMPORT}/run_none`)).status).toBe(404)
    const keyed = await createTestApp({ API_KEY: 'secret' })
    for (const [method, path] of [
      ['POST', ''],
      ['GET', ''],
      ['GET', '/x'],
      ['DELETE', '/x'],
      ['GET', '/reports/x'],
    ] as const)
      expect(
        (await keyed.call(method, `${IMPORT}${path}`, method === 'POST' ? {} : undefined, { 'x-api-key': 'no' }))
          .status,
      ).toBe(401)
    await keyed.close()
  })
})
