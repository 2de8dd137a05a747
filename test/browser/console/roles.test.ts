import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectClean, openConsole } from '../support/console.ts'
import { addPerson, logIn } from '../support/shop.ts'

const KEY = 'a key that is long enough'

describe.runIf(hasBrowser)('people in the console', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: KEY })
    browser = await openBrowser()
    origin = await originOf(test.app)
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  it('begin with whoever has the key, who makes the first admin', async () => {
    const tab = await openConsole(browser, origin)
    const { page, complaints } = tab
    await page.getByRole('heading', { name: 'Who runs this desk?' }).waitFor()
    await expectClean(tab)
    await page.getByLabel('API key').fill('not the key at all')
    await page.getByLabel('Name').fill('anna')
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('alert').waitFor()
    // The browser itself complains of the refusal.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('status of 401')])
    await page.getByLabel('API key').fill(KEY)
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    expect((await test.call('GET', '/api/v1/console/people')).body.people).toMatchObject([
      { name: 'anna', role: 'admin' },
    ])
    await tab.context.close()
  })

  it('are added with a role, choose a password, and then cannot do what it may not', async () => {
    const admin = await openConsole(browser, origin, { at: 'settings/people' })
    await logIn(admin.page, 'anna')
    const form = admin.page.getByRole('form', { name: 'Add a person' })
    await form.getByLabel('Name').fill('ben')
    await form.getByLabel('Shown as').fill('Ben')
    await form.getByRole('button', { name: 'Add a person' }).click()
    const given = (await admin.page.locator('.secret code').textContent()) ?? ''
    expect(given.length).toBeGreaterThan(9)
    await expectClean(admin)

    const agent = await openConsole(browser, origin)
    const { page } = agent
    await page.getByLabel('Name').fill('ben')
    await page.getByLabel('Password').fill(given)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('heading', { name: 'Choose a password of your own' }).waitFor()
    await page.getByLabel('Password', { exact: true }).fill(given)
    await page.getByLabel('New password').fill('another good password')
    await page.getByRole('button', { name: 'Change and go on' }).click()
    const rail = page.getByRole('navigation', { name: 'Screens' })
    await rail.getByRole('link', { name: 'Inbox' }).waitFor()

    await rail.getByRole('link', { name: 'Settings' }).click()
    const pages = page.getByRole('navigation', { name: 'Settings' })
    await pages.getByRole('link', { name: 'Labels' }).waitFor()
    expect(await pages.getByRole('link', { name: 'People' }).count()).toBe(0)
    await page.goto(`${origin}/#/settings/people`)
    await page.getByText('Your role does not include this page.').waitFor()
    await page.goto(`${origin}/#/tuner`)
    await page.getByText('Only admins change what is in force.').waitFor()
    expect(await page.getByRole('button', { name: 'Apply' }).count()).toBe(0)
    await page.goto(`${origin}/#/knowledge`)
    await page.getByRole('heading', { name: 'Knowledge', level: 1 }).waitFor()
    expect(await page.getByRole('button', { name: 'Load files' }).count()).toBe(0)
    await expectClean(agent)
    const refused = await page.evaluate(async () => {
      const body = JSON.stringify({ name: 'mallory', role: 'admin' })
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/api/v1/console/people', { method: 'POST', body, headers })).status
    })
    expect(refused).toBe(403)

    // What they are shown follows from their role at once, and they are out as soon as they may no longer be in.
    await admin.page.getByRole('combobox', { name: 'Role of Ben' }).selectOption('editor')
    await admin.page.getByText('Saved').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Load files' }).waitFor()
    await admin.page.getByRole('row', { name: /Ben/ }).getByRole('button', { name: 'Keep out' }).click()
    await admin.page.getByText('may not log in').waitFor()
    await rail.getByRole('link', { name: 'Inbox' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await agent.context.close()

    await admin.page.goto(`${origin}/#/settings/audit`)
    await admin.page.getByText('anna').first().waitFor()
    await admin.page.locator('summary', { hasText: 'ben' }).first().click()
    await expectClean(admin)
    await admin.context.close()
  })

  it('log in and out in all tabs of a browser', async () => {
    await addPerson(test, 'cleo', 'admin')
    const tab = await openConsole(browser, origin, { at: 'inbox' })
    const other = await tab.context.newPage()
    await other.goto(`${origin}/#/settings/account`)
    await other.getByRole('heading', { name: 'Log in' }).waitFor()
    await logIn(tab.page, 'cleo')
    await other.getByRole('heading', { name: 'My account' }).waitFor()
    await tab.page.getByRole('button', { name: /Account/ }).click()
    await tab.page.getByRole('button', { name: 'Log out' }).click()
    await other.getByRole('heading', { name: 'Log in' }).waitFor()
    await tab.context.close()
  })
})
