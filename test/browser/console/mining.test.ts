import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectClean, openConsole, violationsOf } from '../support/console.ts'

const file = (name: string, content: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

describe.runIf(hasBrowser)('tickets in the console', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    test = await createTestApp()
    browser = await openBrowser()
    origin = await originOf(test.app)
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  it('say which columns were read, and are asked for the columns that nobody knows', async () => {
    const tab = await openConsole(browser, origin, { at: 'mining' })
    const { page } = tab
    const input = page.locator('input[type=file]')
    await input.setInputFiles(file('known.csv', 'Ticket ID,Description,Priority\nk-1,The lamp hums,High\n'))
    const read = page.getByRole('dialog')
    await read.getByText('1 ticket is new').waitFor()
    expect(await read.getByRole('row', { name: /What customers asked/ }).textContent()).toContain('Description')
    expect(await read.textContent()).toContain('Not used: Priority')
    await expectClean(tab)
    await read.getByRole('button', { name: 'Close' }).click()

    await input.setInputFiles(file('unknown.csv', 'Vorgang,Anliegen\nu-1,The kettle smells\nu-2,The lamp is loud\n'))
    const asked = page.getByRole('dialog', { name: 'Which columns are these?' })
    await asked.getByLabel('What customers asked').selectOption('Anliegen')
    await asked.getByLabel('Ticket', { exact: true }).selectOption('Vorgang')
    expect(await violationsOf(page)).toEqual([])
    await asked.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('dialog').getByText('2 tickets are new').waitFor()
    await tab.context.close()
  })
})
