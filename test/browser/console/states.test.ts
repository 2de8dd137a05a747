import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser, type Tab } from '../support/browser.ts'
import { expectClean, openConsole, violationsOf } from '../support/console.ts'
import { furnish, SCREENS } from '../support/screens.ts'
import { addPerson, askAs, logIn } from '../support/shop.ts'

/** What is around the screens: it may go on whatever happens to them. */
const AROUND = /\/console\/(session|todo)|\/agent\/(events|presence)/

/** The network between the console and the service, as a test wants it. */
async function network(page: Page) {
  let mode: 'pass' | 'hold' | 'refuse' = 'pass'
  let held: (() => void)[] = []
  const asked: string[] = []
  const answer = (route: Route) =>
    mode === 'refuse'
      ? route.fulfill({ status: 503, contentType: 'application/json', body: '{"detail":"The service is stopping"}' })
      : route.continue()
  await page.route('**/api/v1/**', async (route) => {
    const url = route.request().url()
    if (AROUND.test(url)) return route.continue()
    asked.push(`${route.request().method()} ${new URL(url).pathname}`)
    if (mode === 'hold') await new Promise<void>((resolve) => held.push(resolve))
    await answer(route).catch(() => {})
  })
  const release = () => {
    for (const go of held) go()
    held = []
  }
  return {
    asked,
    /** Nothing comes until another mode. */
    hold: () => {
      mode = 'hold'
    },
    refuse: () => {
      mode = 'refuse'
      release()
    },
    pass: () => {
      mode = 'pass'
      release()
    },
  }
}

/** Screens whose content needs the service: the others are there at once. */
const ASKING = SCREENS.filter(([at]) => !['welcome', 'settings/account', 'settings/customers'].includes(at))
/** Where no key is set there are no people, and nothing to ask for. */
const ASKING_KEYLESS = ASKING.filter(([at]) => !['settings/people', 'settings/teams'].includes(at))

describe.runIf(hasBrowser)('a screen whose network is bad', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    test = await createTestApp()
    await furnish(test)
    browser = await openBrowser()
    origin = await originOf(test.app)
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  it.each(ASKING_KEYLESS)(
    '%s says that it waits, then why nothing came, and comes by itself or when told to',
    async (at, ready) => {
      const tab = await openConsole(browser, origin, { at: 'nowhere' })
      const { page, context, complaints } = tab
      await page.getByText('There is nothing at this address').waitFor()
      const net = await network(page)
      net.hold()
      await page.goto(`${origin}/#/${at}`)
      await page.locator('.skeleton:visible').first().waitFor()
      expect(await violationsOf(page)).toEqual([])

      net.refuse()
      const retry = page.getByRole('main').getByRole('button', { name: 'Try again' })
      await retry.first().waitFor()
      await page.getByRole('main').getByText('The service is stopping').first().waitFor()
      expect(await violationsOf(page)).toEqual([])
      // The browser itself complains of every refusal.
      expect(complaints.splice(0).filter((line) => !line.includes('status of 503'))).toEqual([])

      net.pass()
      // What depends on what failed asks once that is there.
      await expect
        .poll(
          async () => {
            const first = retry.first()
            if ((await retry.count()) > 0) await first.click({ timeout: 1_000 }).catch(() => {})
            return (await page.locator(ready).first().isVisible()) && (await retry.count()) === 0
          },
          { timeout: 20_000 },
        )
        .toBe(true)

      await context.setOffline(true)
      await page.getByText('What you see may be old').waitFor()
      await page.getByText('Connecting …').waitFor()
      expect(await page.locator(ready).first().isVisible()).toBe(true)
      net.asked.length = 0
      await context.setOffline(false)
      await expect.poll(() => page.getByText('What you see may be old').count(), { timeout: 15_000 }).toBe(0)
      // What is shown is asked for anew.
      await expect.poll(() => net.asked.length).toBeGreaterThan(0)
      await page.locator(ready).first().waitFor()
      await context.close()
    },
  )

  it('sends nothing twice, however often it is told to', async () => {
    await askAs(test, 's-slow', 'I want to talk to a person', 'slow')
    const { page, context } = await openConsole(browser, origin, { at: 'inbox/s-slow?tab=waiting' })
    await page.getByRole('button', { name: /^Take/ }).waitFor()
    const net = await network(page)
    const posts = (end: string) => net.asked.filter((each) => each.startsWith('POST') && each.endsWith(end)).length
    net.hold()
    await page.keyboard.press('a')
    await page.keyboard.press('a')
    await expect.poll(() => posts('/accept')).toBe(1)
    net.pass()
    await page.getByText('You have the conversation').waitFor()
    expect(posts('/accept')).toBe(1)

    await page.keyboard.press('n')
    await page.getByLabel('Note', { exact: true }).fill('Once is enough')
    net.hold()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => posts('/notes')).toBe(1)
    net.pass()
    await page.getByRole('article', { name: 'Note' }).getByText('Once is enough').waitFor()
    expect(await page.getByRole('article', { name: 'Note' }).count()).toBe(1)
    expect(posts('/notes')).toBe(1)

    await page.goto(`${origin}/#/settings/labels`)
    const name = page.getByLabel('New label')
    await name.fill('Urgent')
    net.hold()
    await name.press('Enter')
    await name.press('Enter')
    await expect.poll(() => posts('/labels')).toBe(1)
    expect(await page.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true)
    net.pass()
    const urgent = async () =>
      (await test.call('GET', '/api/v1/agent/labels')).body.labels.filter(
        ({ name }: { name: string }) => name === 'Urgent',
      )
    await expect.poll(urgent).toHaveLength(1)
    expect(posts('/labels')).toBe(1)
    await context.close()
  })

  it('catches up with what happened while it could not be reached', async () => {
    const { page, context } = await openConsole(browser, origin, { at: 'inbox?tab=waiting' })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('link', { name: /wang/ }).waitFor()
    await context.setOffline(true)
    await page.getByRole('tab', { name: /Mine/ }).click()
    await page.getByText('What you see may be old').waitFor()
    await page.getByText('Connecting …').waitFor()
    await askAs(test, 's-missed', 'I want to talk to a person', 'missed')
    await context.setOffline(false)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('tab', { name: /Waiting/ }).click()
    await page.getByRole('link', { name: /missed/ }).waitFor()
    await context.close()
  })
})

describe.runIf(hasBrowser)('a log-in that ends while somebody works', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  let tab: Tab
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: 'a key that is long enough' })
    await furnish(test)
    for (const name of ['anna', 'ben']) await addPerson(test, name, 'admin')
    browser = await openBrowser()
    origin = await originOf(test.app)
    tab = await openConsole(browser, origin, { at: 'settings/labels' })
    await logIn(tab.page, 'anna')
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  const again = async (page: Page) => {
    const dialog = page.getByRole('dialog', { name: 'Log in' })
    await dialog.getByText('Your log-in has ended').waitFor()
    await dialog.getByLabel('Password').fill('correct horse battery')
    await dialog.getByLabel('Password').press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }

  it.each(ASKING)('%s is there again once they have logged in', async (at, ready) => {
    const { page, context } = tab
    await page.goto(`${origin}/#/nowhere`)
    await page.getByText('There is nothing at this address').waitFor()
    await context.clearCookies()
    await page.goto(`${origin}/#/${at}`)
    await page.getByRole('dialog', { name: 'Log in' }).waitFor()
    await again(page)
    await page.locator(ready).first().waitFor()
    expect(page.url()).toBe(`${origin}/#/${encodeURI(at)}`)
    expect(tab.complaints.splice(0).filter((line) => !line.includes('status of 401'))).toEqual([])
  })

  it('keeps a draft, what could not be sent, and what was filled in', async () => {
    const { page, context } = tab
    await askAs(test, 's-kept', 'I want to talk to a person', 'kept')
    await page.goto(`${origin}/#/inbox/s-kept?tab=waiting`)
    await page.getByRole('button', { name: /^Take/ }).waitFor()
    await page.keyboard.press('a')
    await page.getByText('You have the conversation').waitFor()
    const reply = page.getByRole('form', { name: 'Reply or note' }).locator('textarea')
    await context.clearCookies()
    await reply.fill('I am looking into it')
    // The draft is kept by the service, which no longer knows who writes.
    await page.getByRole('dialog', { name: 'Log in' }).waitFor()
    await expectClean({ page, complaints: [] })
    expect(await page.getByText('Draft kept').count()).toBe(0)
    await again(page)
    expect(await reply.inputValue()).toBe('I am looking into it')
    await page.getByText('Draft kept').waitFor()

    await context.clearCookies()
    await reply.press('Control+Enter')
    await again(page)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('article', { name: 'You' }).getByText('I am looking into it').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
  })

  it('shows nothing of it to somebody else', async () => {
    const { page, context } = tab
    await page.getByRole('tab', { name: 'Note' }).click()
    const note = page.getByLabel('Note', { exact: true })
    await note.fill('For my eyes only')
    await context.clearCookies()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Log in' })
    await dialog.waitFor()
    await dialog.getByLabel('Name').fill('ben')
    await dialog.getByLabel('Password').fill('correct horse battery')
    await dialog.getByLabel('Password').press('Enter')
    await page.getByRole('button', { name: /Account: ben/ }).waitFor()
    await page.getByRole('form', { name: 'Reply or note' }).waitFor()
    expect(await page.getByText('For my eyes only').count()).toBe(0)
    expect(await note.inputValue()).toBe('')
  })
})
