import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { type StubServer, startStubServer } from '../../support/stub-server.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectClean, expectCleanEverywhere, openConsole } from '../support/console.ts'

const FILES = 100
const MANY = 10_000
const REGISTERED = { register: 'true' }

describe.runIf(hasBrowser)('the knowledge base in the console', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  let folder: string
  let docId: string
  let site: StubServer
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'knowledge-'))
    site = await startStubServer(async ({ url: { pathname } }) => {
      if (pathname === '/robots.txt') return { status: 404, body: '' }
      // Slow enough to be watched.
      await pause(pathname === '/' ? 0 : 300)
      const links = Array.from({ length: 20 }, (_, i) => `<a href="/page-${i}">${i}</a>`).join(' ')
      const body = `<title>Page ${pathname}</title><main><h1>Page ${pathname}</h1><p>Kettle ${pathname} boils.</p>${links}</main>`
      return { contentType: 'text/html', body }
    })
    test = await createTestApp({ WEBSITE_IMPORT_HOSTS: new URL(site.origin).host, FILE_ROOTS: folder })
    browser = await openBrowser()
    origin = await originOf(test.app)
    const first = '# Returns\n\nGoods may be returned within 30 days.\n\n# Refunds\n\nRefunds take five days.\n'
    docId = (await test.upload(first, 'returns.md', REGISTERED)).body.doc_id
    await test.upload(first.replace('30 days', '14 days'), 'returns.md', REGISTERED)
    await test.call('POST', '/api/v1/chat', { message: 'Within how many days may goods be returned?', user_id: 'ann' })
  })
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true })
    await browser?.close()
    await test?.close()
    await site?.close()
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
    await page.getByRole('button', { name: 'Take past questions' }).click()
    const field = page.getByLabel('Questions, one a line')
    await expect.poll(() => field.inputValue()).toBe('Within how many days may goods be returned?')
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

  it('loads files that are dropped, and keeps what is known of their documents', async () => {
    const { doc_id } = (
      await test.upload('# Maps\n\nMaps are free.', 'maps.md', { ...REGISTERED, product_category: 'travel' })
    ).body
    const tab = await openConsole(browser, origin, { at: 'knowledge' })
    const { page } = tab
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['# Maps\\n\\nMaps cost two coins.'], 'maps.md'))
      return transfer
    })()`)
    await page.locator('.drop-area').dispatchEvent('dragover', { dataTransfer: data })
    await page.getByText('Drop files or folders to load them').waitFor()
    await page.locator('.drop-area').dispatchEvent('drop', { dataTransfer: data })
    await page.getByRole('button', { name: 'Load 1 file' }).click()
    await page.getByText('1 file loaded').waitFor()
    const { items } = (await test.call('GET', `/api/v1/knowledge/documents?q=${doc_id}`)).body
    expect(items).toMatchObject([{ current_version: 'v2', product_category: 'travel' }])
    await tab.context.close()
  })

  it('archives and deletes a document, and takes both back', async () => {
    const { doc_id } = (await test.upload('# Umbrellas\n\nUmbrellas are blue.', 'umbrellas.md', REGISTERED)).body
    const statusOf = async () => (await test.call('GET', `/api/v1/knowledge/documents/${doc_id}`)).body.status
    const tab = await openConsole(browser, origin, { at: `knowledge/${doc_id}` })
    const { page } = tab
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('umbrellas.md was archived').waitFor()
    expect(await statusOf()).toBe('archived')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await statusOf()).toBe('active')

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('umbrellas.md was deleted').waitFor()
    const row = page.locator('.document-row', { hasText: 'umbrellas.md' })
    expect(await row.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
    expect(await statusOf()).toBe('active')

    await row.click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('umbrellas.md was deleted').waitFor()
    await page.close()
    await expect.poll(statusOf).toBe('deleted')
    await tab.context.close()
  })

  it('settles what a check finds: keeps both, or archives one', async () => {
    await test.upload('# Torches\n\nTorches may be returned within 21 days of purchase.', 'torch-a.md', REGISTERED)
    await test.upload('# Torches\n\nTorches may be returned within 28 days of purchase.', 'torch-b.md', REGISTERED)
    const tab = await openConsole(browser, origin, { at: 'knowledge?view=quality' })
    const { page } = tab
    await page.getByRole('button', { name: 'Check now' }).click()
    const finding = page.locator('.finding', { hasText: 'torch-a.md' }).filter({ hasText: 'torch-b.md' })
    await finding.first().getByText('28').waitFor()
    await expectClean(tab)
    const before = await finding.count()
    await finding.first().getByRole('button', { name: 'Both are right' }).click()
    await expect.poll(() => finding.count()).toBe(before - 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => finding.count()).toBe(before)
    await finding.first().getByRole('button', { name: 'Archive this document' }).last().click()
    await expect.poll(() => finding.count()).toBe(0)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('just now').waitFor()
    expect(await finding.count()).toBe(0)
    await tab.context.close()
  })

  it('imports a website, shows how far it is, and ends it when told to', async () => {
    const tab = await openConsole(browser, origin, { at: 'knowledge?view=sources' })
    const { page } = tab
    const website = page.getByRole('region', { name: 'Import a website' })
    await website.getByLabel('Address').fill(`${site.origin}/`)
    await website.getByRole('button', { name: 'Start the import' }).click()
    await website.getByText(`Reading ${site.origin}/`).waitFor()
    await website.getByText(/^[1-9]\d* of \d+$/).waitFor()
    await expectClean(tab)
    await website.getByRole('button', { name: 'Cancel' }).click()
    await website.getByText('Cancelled').waitFor()
    await website.getByRole('button', { name: 'Import again' }).click()
    await website.getByText(/new or changed/).waitFor({ timeout: 60_000 })
    await website.getByText('Finished').waitFor()
    await expectClean(tab)
    await tab.context.close()
  })

  it('goes by a folder of the machine, and asks before what deletes', async () => {
    const docs = join(folder, 'kept')
    mkdirSync(docs)
    for (const name of ['one', 'two']) writeFileSync(join(docs, `${name}.md`), `# ${name}\n\nThe gong ${name} rings.`)
    const tab = await openConsole(browser, origin, { at: 'knowledge?view=sources' })
    const { page } = tab
    const region = page.getByRole('region', { name: 'Update from a folder' })
    await region.getByLabel('Folder').fill(docs)
    await region.getByRole('button', { name: 'Take in what changed' }).click()
    await region.getByText('2 files: 2 new').waitFor()
    rmSync(join(docs, 'two.md'))
    await region.getByLabel('Folder').fill(docs)
    await region.getByRole('button', { name: 'Make it agree' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make it agree' }).click()
    await region.getByText('1 deleted').waitFor()
    await expectClean(tab)
    await tab.context.close()
  })

  it('comes back by itself when the service can be reached again', async () => {
    const tab = await openConsole(browser, origin, { at: 'knowledge?q=returns' })
    const { page, context } = tab
    await page.locator('.document-row').first().waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: /returns\.md/ }).click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await context.setOffline(false)
    await page.locator('.document-passage').first().waitFor()
    await context.close()
  })

  it('shows ten thousand documents at once, and fetches only those in view', async () => {
    await sql`insert into knowledge_documents (doc_id, source, registered, status)
      select 'many_' || n, 'many-' || lpad(n::text, 5, '0') || '.md', true, 'active'
      from generate_series(1, ${MANY}) n`.execute(test.db.executor)
    await sql`insert into knowledge_versions (doc_id, version_no, doc_hash, status, chunk_count, knowledge_type,
        product_category, applicable_version)
      select doc_id, 1, doc_id, 'active', 1, 'doc', 'unknown', 'latest' from knowledge_documents
      where doc_id like 'many_%'`.execute(test.db.executor)
    const tab = await openConsole(browser, origin, { at: 'knowledge?q=many-&sort=source' })
    const { page } = tab
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('offset=') && asked.push(request.url()))
    await page.getByText('10,000 documents', { exact: true }).waitFor()
    await page.locator('.virtual').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.getByText('many-10000.md').waitFor()
    expect(await page.locator('.document-row').count()).toBeLessThan(80)
    expect(asked.length).toBeLessThan(4)
    await page.keyboard.press('j')
    await page.getByText('many-00001.md').waitFor()
    await expectClean(tab)
    await tab.context.close()
    await sql`delete from knowledge_documents where doc_id like 'many_%'`.execute(test.db.executor)
  })

  it.each([
    ['the list', () => 'knowledge', '.document-row'],
    ['a document', () => `knowledge/${docId}`, '.document-passage'],
    ['the sources', () => 'knowledge?view=sources', '.source h3'],
    ['the quality check', () => 'knowledge?view=quality', '.quality .empty'],
    ['versions', () => `knowledge/${docId}?tab=versions`, '.versions td'],
    ['a comparison', () => `knowledge/${docId}?tab=compare&from=v2&to=v1`, '.diff-changed'],
  ])('has nothing wrong in %s, in any language or colour scheme', async (_name, at, ready) => {
    await expectCleanEverywhere(browser, origin, at(), (page) => page.locator(ready).first().waitFor())
  })
})
