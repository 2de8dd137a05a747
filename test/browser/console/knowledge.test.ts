import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectClean, expectCleanEverywhere, openConsole } from '../support/console.ts'

const FILES = 100
const REGISTERED = { register: 'true' }

describe.runIf(hasBrowser)('the knowledge base in the console', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  let folder: string
  let docId: string
  beforeAll(async () => {
    test = await createTestApp()
    browser = await openBrowser()
    origin = await originOf(test.app)
    folder = mkdtempSync(join(tmpdir(), 'knowledge-'))
    const first = '# Returns\n\nGoods may be returned within 30 days.\n\n# Refunds\n\nRefunds take five days.\n'
    docId = (await test.upload(first, 'returns.md', REGISTERED)).body.doc_id
    await test.upload(first.replace('30 days', '14 days'), 'returns.md', REGISTERED)
    await test.call('POST', '/api/v1/chat', { message: 'Within how many days may goods be returned?', user_id: 'ann' })
  })
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true })
    await browser?.close()
    await test?.close()
  })

  it('compares two versions, says which questions are answered otherwise, and serves the earlier one again', async () => {
    const tab = await openConsole(browser, origin, { at: 'knowledge' })
    const { page } = tab
    await page.getByRole('link', { name: /returns\.md/ }).click()
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('link', { name: 'Compare with v2' }).click()
    await expect.poll(() => page.locator('.diff-changed del').textContent()).toContain('14')
    expect(await page.locator('.diff-changed ins').textContent()).toContain('30')
    const replayed = page.getByRole('region', { name: 'Questions answered otherwise' })
    await replayed.getByText('Within how many days may goods be returned?').waitFor()
    expect(await replayed.getByText('within 30 days').count()).toBeGreaterThan(0)
    await expectClean(tab)

    await page.getByRole('button', { name: 'Use v1 again' }).click()
    await page.getByText('v1 is in use now').waitFor()
    expect(await servedVersion()).toBe('v1')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await servedVersion()).toBe('v2')
    await tab.context.close()
  })

  async function servedVersion(): Promise<string> {
    return (await test.call('GET', `/api/v1/knowledge/documents/${docId}`)).body.current_version
  }

  it('tries a version beside the one in use', async () => {
    const tab = await openConsole(browser, origin, { at: `knowledge/${docId}?tab=trial` })
    const { page } = tab
    await page.locator('input[data-trial]').setInputFiles({
      name: 'renamed.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Returns\n\nGoods may be returned within 60 days.\n'),
    })
    await page.getByRole('heading', { name: 'v3 is in trial' }).waitFor()
    await page.getByLabel('Questions, one a line').fill('Within how many days may goods be returned?')
    await page.getByRole('button', { name: 'Ask 1 question' }).click()
    await page.getByRole('region', { name: 'Result of the trial' }).locator('summary').click()
    await page.getByText('within 60 days').waitFor()
    await expectClean(tab)
    await page.getByRole('button', { name: 'End the trial' }).click()
    await page.getByText('v3 is no longer in trial').waitFor()
    expect(await servedVersion()).toBe('v2')
    await tab.context.close()
  })

  it('loads a folder of a hundred files and shows what could not be read', async () => {
    mkdirSync(join(folder, 'help/more'), { recursive: true })
    for (let number = 1; number < FILES; number++) {
      writeFileSync(
        join(folder, `help/article-${number}.md`),
        `# Article ${number}\n\nLamp ${number} has ${number} watts.\n`,
      )
    }
    writeFileSync(join(folder, 'help/more/broken.pdf'), 'no PDF')
    writeFileSync(join(folder, 'help/.hidden'), 'not for the knowledge base')
    const tab = await openConsole(browser, origin, { at: 'knowledge' })
    const { page } = tab
    await page.locator('input[data-folder]').setInputFiles(join(folder, 'help'))
    await page.getByRole('button', { name: `Load ${FILES} files` }).click()
    await page.getByText(`${FILES - 1} files loaded`).waitFor({ timeout: 90_000 })
    await page.getByText('1 file was not loaded').waitFor()
    await page.getByRole('button', { name: 'Try again: broken.pdf' }).waitFor()
    await page.getByText(`${FILES} documents`, { exact: true }).waitFor()
    await page.getByLabel('Search documents').fill('article-77')
    await page
      .getByRole('link', { name: /article-77\.md/ })
      .and(page.locator('.document-row'))
      .click()
    await page.getByText('Lamp 77 has 77 watts.').waitFor()
    // The browser itself complains of every refusal, here of the file that is no PDF.
    expect(tab.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
    await expectClean(tab)
    await tab.context.close()
  })

  it.each([
    ['the list', () => 'knowledge', '.document-row'],
    ['a document', () => `knowledge/${docId}`, '.passage'],
    ['versions', () => `knowledge/${docId}?tab=versions`, '.versions td'],
    ['a comparison', () => `knowledge/${docId}?tab=compare&from=v2&to=v1`, '.diff-changed'],
  ])('has nothing wrong in %s, in any language or colour scheme', async (_name, at, ready) => {
    await expectCleanEverywhere(browser, origin, at(), (page) => page.locator(ready).first().waitFor())
  })
})
