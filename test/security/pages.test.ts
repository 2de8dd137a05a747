import { load } from 'cheerio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../contract/support/routes.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PAYLOADS = [
  '</title></script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '<svg/onload=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '</style><iframe srcdoc="<script>alert(1)</script>">',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '\u2028alert(1)\u2029<!--',
]
const ALL = PAYLOADS.join(' ')

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ APP_NAME: ALL })
})
afterAll(() => test.close())

describe('the API pages', () => {
  it.each(['/docs', '/docs/', '/redoc'])(
    '%s run no script but their own files, and hold what they show as text',
    async (url) => {
      let response = await test.app.inject({ url })
      if (response.statusCode === 302)
        response = await test.app.inject({ url: new URL(String(response.headers.location), `http://x${url}`).pathname })
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toMatch(/^text\/html/)
      expect(response.headers['x-content-type-options']).toBe('nosniff')
      const policy = String(response.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toMatch(/script-src 'self'(?:;|$)/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("base-uri 'none'")
      const page = load(response.body)
      for (const script of page('script').toArray()) {
        expect(page(script).attr('src')).toMatch(/^(?:\/|\.\/)[\w./-]+\.js$/)
        expect(page(script).text().trim()).toBe('')
      }
      expect(page('img[onerror], svg, iframe, [onload], a[href^="javascript"], a[href^="data"]').length).toBe(0)
      expect(page('title').text()).toContain('<script>alert(1)</script>')
    },
  )

  it('load scripts in which a text of ours cannot end the string that it stands in', async () => {
    const { body, headers } = await test.app.inject({ url: '/docs/static/swagger-initializer.js' })
    expect(headers['content-type']).toMatch(/javascript/)
    expect(() => new Function('window', 'SwaggerUIBundle', 'SwaggerUIStandalonePreset', body)).not.toThrow()
    expect(body).not.toContain("'-alert(1)-'")
  })

  it('are fed a description that is JSON to every browser', async () => {
    const { body, headers } = await test.app.inject({ url: '/openapi.json' })
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(JSON.parse(body).info.title).toBe(ALL)
  })
})

describe('what people wrote', () => {
  beforeAll(async () => {
    for (const [i, payload] of [...PAYLOADS.slice(0, 2), ALL].entries()) {
      await test.upload(
        `# ${payload}\n\n${payload} is the answer to question ${i}.`,
        `${encodeURIComponent(payload).slice(0, 40)}.md`,
        {
          register: 'true',
          product_category: payload.slice(0, 50),
        },
      )
      await test.call('POST', '/api/v1/chat', {
        session_id: `s${i}`,
        user_id: payload,
        message: `${payload} human agent please`,
      })
    }
    await test.call('POST', '/api/v1/operations/experiments', {
      name: ALL.slice(0, 60),
      description: ALL,
      variants: ['a', 'b'],
      traffic_split: { a: 0.5, b: 0.5 },
    })
  })

  const isHarmless = (headers: Record<string, unknown>): boolean =>
    // A file to be saved is no document either.
    (/^(?:application\/json|text\/event-stream|text\/plain)/.test(String(headers['content-type'])) ||
      String(headers['content-disposition']).startsWith('attachment')) &&
    headers['x-content-type-options'] === 'nosniff' &&
    String(headers['content-security-policy']).includes("default-src 'none'")

  it('is never a document to a browser, whatever endpoint shows it', async () => {
    const routes = routesOf(test.app).filter(
      ({ method, path }) => method === 'GET' && path.startsWith('/api/') && !path.endsWith('/events'),
    )
    expect(routes.length).toBeGreaterThan(20)
    const dangerous: string[] = []
    for (const { path } of routes) {
      const filled = path.replace(/:\w+/g, () => encodeURIComponent(PAYLOADS[0] as string))
      for (const url of [
        filled,
        `${filled}?q=${encodeURIComponent(ALL)}&level=${encodeURIComponent(ALL)}&limit=${encodeURIComponent('<script>')}`,
      ]) {
        const { headers, statusCode } = await test.app.inject({ url, headers: { accept: 'text/html' } })
        if (!isHarmless(headers) || statusCode >= 500)
          dangerous.push(`${url}: ${statusCode} ${headers['content-type']}`)
      }
    }
    expect(dangerous).toEqual([])
  })

  it('comes back in refusals as JSON too, also from requests that no route or parser took', async () => {
    const wrong = [
      { method: 'GET', url: `/${encodeURIComponent(ALL)}` },
      { method: 'PUT', url: '/api/v1/tuner/params', payload: { [ALL]: ALL } },
      { method: 'POST', url: '/api/v1/chat', payload: { message: 1, channel: ALL } },
      { method: 'POST', url: '/api/v1/chat', payload: ALL, headers: { 'content-type': 'text/html' } },
      { method: 'GET', url: '/docs/static/%3Cscript%3Ealert(1)%3C/script%3E' },
    ] as const
    for (const request of wrong) {
      const { headers, statusCode } = await test.app.inject(request)
      expect(statusCode).toBeGreaterThanOrEqual(400)
      expect(isHarmless(headers), request.url).toBe(true)
    }
  })
})

describe('a body', () => {
  const post = (payload: string) =>
    test.app.inject({ method: 'POST', url: '/api/v1/chat', headers: { 'content-type': 'application/json' }, payload })

  it.each([
    ['is larger than a mebibyte', `{"message": "${'x'.repeat(1_048_576)}"}`, 413],
    ['nests arrays', `{"message": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 422],
    ['nests objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 422],
    ['names a prototype', '{"message": "hello", "__proto__": {"admin": true}}', 422],
    ['names a constructor', '{"message": "hello", "constructor": {"prototype": {"admin": true}}}', 422],
    ['has twenty thousand fields', `{${Array.from({ length: 20_000 }, (_, i) => `"f${i}":1`).join()}}`, 422],
    ['repeats a field', `{${'"message":"a",'.repeat(10_000)}"message":""}`, 422],
    ['has a message that is too long', JSON.stringify({ message: 'x'.repeat(8_001) }), 422],
  ])('that %s is refused, and nothing of it sticks', async (_, payload, status) => {
    const response = await post(payload)
    expect(response.statusCode).toBe(status)
    expect(Object.keys(response.json())).toEqual(['detail'])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})
