import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectClean, openConsole } from '../support/console.ts'

describe.runIf(hasBrowser)('the first run', { timeout: 120_000 }, () => {
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

  it('leads in three steps from nothing to an answer and why it is that', async () => {
    const tab = await openConsole(browser, origin)
    const { page } = tab
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    await expectClean(tab)
    expect(await page.getByRole('button', { name: 'Ask' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Load the sample shop' }).click()
    await page.getByText('24 documents are loaded').waitFor({ timeout: 90_000 })
    await page.getByRole('button', { name: 'What is the return window?' }).click()
    await page.locator('.welcome-reply', { hasText: '7 days' }).waitFor()
    await page.getByRole('link', { name: 'Open the playground' }).click()
    await page.getByText('What a customer would be told').waitFor()
    await expectClean(tab)
    await tab.context.close()
  })

  it('is over once there are documents', async () => {
    const tab = await openConsole(browser, origin, { language: 'zh' })
    await tab.page.getByRole('tablist', { name: '按处理人查看会话' }).waitFor()
    await tab.context.close()
  })

  it('lets somebody tune in the playground, and keep the question as a case', async () => {
    const tab = await openConsole(browser, origin, { at: 'playground' })
    const { page } = tab
    await page.getByRole('searchbox', { name: 'Question' }).fill('How long can I return headphones')
    await page.keyboard.press('Enter')
    await page.getByText('closest passage').waitFor()
    expect(await page.locator('.hit mark').first().textContent()).not.toBe('')
    await page.getByText('Why this score').first().click()
    await page.getByLabel('Compare two settings').check()
    const second = page.getByRole('region', { name: 'Settings B' })
    await second.getByText('Settings B').click()
    await second.getByLabel('Answers from score').fill('0.15')
    await second.getByText('1 changed').waitFor()
    await second.locator('.playground-reply').getByText('sure', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Settings A' }).getByText('closest passage').waitFor()
    await expectClean(tab)
    await second.getByRole('button', { name: 'Save as a case' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save as a case' }).click()
    await page.getByText('The set now has 1 case.').waitFor()
    await page.getByRole('link', { name: 'Open evaluation' }).click()
    await page.getByRole('combobox', { name: 'Test set' }).selectOption('playground')
    await expectClean(tab)
    await tab.context.close()
  })

  it('predicts what a setting would change before it is applied, and takes it back', async () => {
    await test.call('POST', '/api/v1/chat', { message: 'How long can I return headphones', user_id: 'ann' })
    const tab = await openConsole(browser, origin, { at: 'tuner' })
    const { page } = tab
    await page.getByLabel('Answers from score').fill('0.15')
    await page.getByRole('button', { name: 'Predict' }).click()
    await page.getByText('1 surely answered that were not').waitFor()
    await expectClean(tab)
    const threshold = async () => (await test.call('GET', '/api/v1/tuner/params')).body.params.direct_answer_threshold
    const before = await threshold()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('In force from now on').waitFor()
    expect(await threshold()).toBeCloseTo(0.15)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await threshold()).toBe(before)
    await tab.context.close()
  })

  it('compares two evaluations in words', async () => {
    const tab = await openConsole(browser, origin, { at: 'evaluation' })
    const { page } = tab
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('heading', { name: 'Sample shop (built in)' }).waitFor({ timeout: 60_000 })
    await test.call('PUT', '/api/v1/tuner/params', { direct_answer_threshold: 0.9 })
    await page.getByRole('button', { name: 'Run' }).click()
    await expect.poll(() => page.getByRole('checkbox', { name: /^Compare:/ }).count(), { timeout: 60_000 }).toBe(2)
    for (const box of await page.getByRole('checkbox', { name: /^Compare:/ }).all()) await box.check()
    await page.getByRole('button', { name: 'Compare marked' }).click()
    await page.getByRole('heading', { name: /A answers|B answers|Between A and B/ }).waitFor()
    await page.getByText('Answers from score').waitFor()
    await expectClean(tab)
    await tab.context.close()
  })

  it('closes a gap on one screen', async () => {
    const question = 'Do you ship to the moon?'
    for (const user of ['ann', 'bob']) {
      await test.call('POST', '/api/v1/chat', { message: question, session_id: `gap-${user}`, user_id: user })
    }
    const tab = await openConsole(browser, origin, { at: 'gaps' })
    const { page } = tab
    await page.getByRole('link', { name: /ship to the moon/ }).click()
    await page.getByLabel('Answer', { exact: true }).fill('We ship to the moon on Fridays, for 900 a parcel.')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('answered now').first().waitFor()
    await expectClean(tab)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Published: the next customer gets this answer').waitFor()
    await expect.poll(() => page.getByRole('link', { name: /ship to the moon/ }).count()).toBe(0)
    await page.getByRole('tab', { name: /Closed/ }).click()
    await page.getByRole('link', { name: /ship to the moon/ }).waitFor()
    const { body } = await test.call('POST', '/api/v1/chat', { message: question, user_id: 'cleo' })
    expect(body.reply).toContain('on Fridays')
    await tab.context.close()
  })

  it('silences an alert from the list, and lets it sound again', async () => {
    await sql`insert into alerts (alert_id, fingerprint, level, source, message, details, created_at, last_seen_at)
      values ('alert_test', 'trouble', 'warn', 'handoff', 'A customer has waited for 14 minutes', '{}', now(), now())`.execute(
      test.db.executor,
    )
    const isIn = async (state: string) => {
      const { body } = await test.call('GET', `/api/v1/observability/alerts?state=${state}`)
      return body.some(({ alert_id: id }: { alert_id: string }) => id === 'alert_test')
    }
    const tab = await openConsole(browser, origin, { at: 'alerts' })
    const { page } = tab
    const alert = page.getByRole('listitem').filter({ hasText: 'A customer has waited' })
    await alert.getByRole('button', { name: 'Silence …' }).click()
    await expectClean(tab)
    await page.getByRole('button', { name: '1 hour' }).click()
    await page.getByText('Silent until').first().waitFor()
    expect(await isIn('silenced')).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await isIn('firing')).toBe(true)
    await alert.getByRole('button', { name: 'I look after it' }).click()
    await alert.getByText('Looked after', { exact: true }).waitFor()
    await tab.context.close()
  })
})
