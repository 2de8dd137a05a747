import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversationOf, writeProject } from '../client/support/package.ts'
import { originOf } from '../support/event-stream.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { hasBrowser, openBrowser, openTab } from './support/browser.ts'

describe.runIf(hasBrowser)('the typed client in a page of the service', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let folder: string
  let script: string
  beforeAll(async () => {
    test = await createTestApp()
    browser = await openBrowser()
    folder = writeProject()
    writeFileSync(join(folder, 'conversation.ts'), conversationOf())
    writeFileSync(join(folder, 'index.html'), '<script type="module" src="./conversation.ts"></script>')
    await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      define: { 'process.env': '{}' },
      build: { modulePreload: { polyfill: false }, rollupOptions: { output: { entryFileNames: 'page.js' } } },
    })
    script = readFileSync(join(folder, 'dist/page.js'), 'utf8')
  })
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true })
    await browser?.close()
    await test?.close()
  })

  it('holds the conversation of its README', async () => {
    const origin = await originOf(test.app)
    const { page, context, complaints } = await openTab(browser, 'about:blank')
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.route(`${origin}/page`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>A page</p>' }))
    await page.goto(`${origin}/page`)
    await page.addScriptTag({ type: 'module', content: script })
    await expect.poll(() => said.at(-1), { timeout: 60_000 }).toBe('rated 5')
    expect(said.join('\n')).toMatch(/10:00 to 18:30[\s\S]*true customer_request\nagent Hello, this is Anna/)
    expect(complaints).toEqual([])
    await context.close()
  })
})
