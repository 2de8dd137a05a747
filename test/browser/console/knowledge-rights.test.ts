import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'

const PASSWORD = 'correct horse battery'

describe.runIf(hasBrowser)('the knowledge base of somebody who may only look', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  let docId: string
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: 'a secret of 24 characters' })
    browser = await openBrowser()
    origin = await originOf(test.app)
    for (const days of [30, 14])
      docId = (await test.upload(`# Returns\n\nReturns within ${days} days.`, 'returns.md', { register: 'true' })).body
        .doc_id
    for (const role of ['agent', 'editor'])
      await test.call('POST', '/api/v1/console/people', { name: role, role, password: PASSWORD })
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  async function openAs(role: string): Promise<Page> {
    const { page } = await openConsole(browser, origin, {})
    const data = { name: role, password: PASSWORD }
    const answer = await page.request.post(`${origin}/api/v1/console/session`, { data, headers: { origin } })
    expect(answer.status()).toBe(200)
    return page
  }

  async function buttonsAt(page: Page, place: string, ready: string): Promise<string[]> {
    await page.goto(`${origin}/#/${place}`)
    await page.reload()
    await page.locator(ready).first().waitFor()
    return page.locator('main button:not([role=tab]):visible').allTextContents()
  }

  it('shows everything, and nothing that changes it', async () => {
    const page = await openAs('agent')
    expect(await buttonsAt(page, 'knowledge', '.document-row')).toEqual([])
    expect(await buttonsAt(page, `knowledge/${docId}`, '.document-passage')).toEqual(['returns.md'])
    expect(await buttonsAt(page, `knowledge/${docId}?tab=versions`, '.versions td')).toEqual(
      Array(3).fill('returns.md'),
    )
    expect(await buttonsAt(page, `knowledge/${docId}?tab=compare`, '.diff-changed')).toEqual(['⇄', 'returns.md'])
    expect(await buttonsAt(page, 'knowledge?view=quality', '.quality .empty')).toEqual([])
    expect(await buttonsAt(page, 'knowledge?view=sources', '.source h3')).toEqual([])
    await page.context().close()
  })

  it('lets an editor do all of it', async () => {
    const page = await openAs('editor')
    expect(await buttonsAt(page, 'knowledge', '.document-row')).toEqual(['Load a folder', 'Load files'])
    const ofVersions = await buttonsAt(page, `knowledge/${docId}?tab=versions`, '.versions td')
    expect(ofVersions).toEqual(expect.arrayContaining(['Delete', 'Archive', 'Load a new version', 'Try', 'Use again']))
    await page.context().close()
  })
})
