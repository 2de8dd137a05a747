import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { startStubServer } from '../support/stub-server.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'

const QUESTION = 'What is the goodwill limit for broken kettles?'
const GAPS = '/api/v1/knowledge/gaps'
const IMPORT = '/api/v1/knowledge/import/website'

/** Two programs over one schema, as behind a load balancer. An embedded database belongs to one process alone. */
describe.runIf(process.env.TEST_DATABASE_URL)('on two replicas', () => {
  let site: Awaited<ReturnType<typeof startStubServer>>
  let first: TestApp
  let second: App
  beforeAll(async () => {
    site = await startStubServer(({ url }) => {
      if (url.pathname === '/robots.txt') return { status: 404, body: '' }
      const links = Array.from({ length: 80 }, (_, i) => `<a href="/${i}">${i}</a>`).join('')
      return {
        contentType: 'text/html',
        body: `<title>${url.pathname}</title><p>The page ${url.pathname}.</p>${links}`,
      }
    })
    const environment = { WEBSITE_IMPORT_HOSTS: new URL(site.origin).host }
    first = await createTestApp(environment)
    second = await createApp(testConfig(environment), await first.database.reopen(), first.app.log)
  })
  afterAll(async () => {
    await second.close()
    await first.close()
    await site.close()
  })

  const onSecond = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    (await second.inject({ method, url, ...(payload ? { payload } : {}) })).json()
  const askSecond = async (): Promise<string> =>
    JSON.stringify(await onSecond('POST', '/api/v1/chat', { message: QUESTION, session_id: '', channel: 'web' }))

  it('a document goes from customers to staff on both', async () => {
    const { body } = await first.upload(`Q: ${QUESTION}\nA: At the most 40 euros.`, 'goodwill.md', { register: 'true' })
    await expect.poll(askSecond).toContain('40 euros')
    await first.call('PUT', `/api/v1/knowledge/documents/${body.doc_id}`, { audience: 'staff' })
    await expect.poll(askSecond).not.toContain('40 euros')
    const recommended = await onSecond('POST', '/api/v1/agent/sessions/none/knowledge-recommend', { query: QUESTION })
    expect(recommended.chunks[0]).toMatchObject({ source: 'goodwill.md', audience: 'staff' })
  })

  it('gaps are sorted once, whoever asks, and ignored on both', async () => {
    for (const message of [
      'Do you tune harpsichords in Bruges?',
      'do you tune harpsichords in bruges',
      'Is the zeppelin for rent?',
    ])
      await first.call('POST', '/api/v1/chat', { message, session_id: '', channel: 'web' })
    const lists = await Promise.all([
      first.call('GET', GAPS).then(({ body }) => body),
      onSecond('GET', GAPS),
      first.call('GET', GAPS).then(({ body }) => body),
      onSecond('GET', GAPS),
    ])
    const ids = lists.map(({ items }) => items.map((item: { gap_id: string }) => item.gap_id).sort())
    for (const each of ids) expect(each).toEqual(ids[0])
    const harps = lists[0].items.find(({ question }: { question: string }) => /bruges/i.test(question))
    expect(harps.count).toBe(2)
    await first.call('PUT', `${GAPS}/${harps.gap_id}`, { state: 'ignored' })
    expect(await onSecond('GET', `${GAPS}/${harps.gap_id}`)).toMatchObject({ state: 'ignored' })
  })

  it('an import that runs on one is seen, refused a second time and cancelled on the other', async () => {
    const { body: run } = await first.call('POST', IMPORT, { url: `${site.origin}/` })
    await pause(1_500)
    expect(await onSecond('GET', `${IMPORT}/${run.run_id}`)).toMatchObject({ state: 'running' })
    const again = await second.inject({ method: 'POST', url: IMPORT, payload: { url: `${site.origin}/` } })
    expect(again.statusCode).toBe(409)
    await onSecond('DELETE', `${IMPORT}/${run.run_id}`)
    const state = async () => (await first.call('GET', `${IMPORT}/${run.run_id}`)).body.state
    await expect.poll(state, { timeout: 10_000 }).toBe('cancelled')
  })
})
