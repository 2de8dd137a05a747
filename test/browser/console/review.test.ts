import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectClean, expectCleanEverywhere, openConsole } from '../support/console.ts'
import { askAs } from '../support/shop.ts'

const SOLUTIONS = '/api/v1/escalation/solutions'

describe.runIf(hasBrowser)('what waits for a decision in the console', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    test = await createTestApp()
    browser = await openBrowser()
    origin = await originOf(test.app)
    await test.upload('# Returns\n\nGoods may be returned within 30 days.\n', 'returns.md', { register: 'true' })
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  beforeEach(async () => {
    const { body } = await test.call('GET', `${SOLUTIONS}/pending`)
    for (const { solution_id: id } of body) await test.call('POST', `${SOLUTIONS}/${id}/reject`, { reason: 'over' })
  })

  const propose = async (subject: string) =>
    (
      await test.call('POST', '/api/v1/escalation/solution', {
        question: `How do I look after a ${subject}?`,
        solution: `A ${subject} is wiped with a dry cloth.`,
      })
    ).body.solution_id as string
  const statusOf = async (id: string): Promise<string> => (await test.call('GET', `${SOLUTIONS}/${id}`)).body.status
  const statusesOf = (ids: readonly string[]) => Promise.all(ids.map(statusOf))
  const ask = async (subject: string): Promise<string> =>
    (await test.call('POST', '/api/v1/chat', { message: `How do I look after a ${subject}?` })).body.reply
  const rail = (page: Page, name: RegExp) =>
    page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name }).locator('.badge')

  it('is counted beside its screen, wherever somebody is', async () => {
    const { page, context } = await openConsole(browser, origin, { at: 'costs' })
    await page.getByRole('heading', { name: 'Costs' }).waitFor()
    expect(await rail(page, /^Solutions/).count()).toBe(0)
    const id = await propose('harp')
    await askAs(test, 's-moon', 'Do you ship to the moon?')
    // Of these nobody tells the desk; a call for a person does, and all are counted anew.
    await askAs(test, 's-person', 'I want to talk to a person', 'person')
    await expect.poll(() => rail(page, /^Inbox/).textContent(), { timeout: 10_000 }).toBe('1')
    expect(await rail(page, /^Solutions/).textContent()).toBe('1')
    await expect
      .poll(
        async () => {
          await page.reload()
          await rail(page, /^Inbox/).waitFor()
          return rail(page, /^Gaps/).count()
        },
        { timeout: 30_000 },
      )
      .toBe(1)
    await test.call('POST', `${SOLUTIONS}/${id}/reject`, { reason: 'No harps' })
    await page.reload()
    await page.getByRole('heading', { name: 'Costs' }).waitFor()
    await rail(page, /^Inbox/).waitFor()
    expect(await rail(page, /^Solutions/).count()).toBe(0)
    await context.close()
  })

  it('is decided for many at once, with progress, and taken back', async () => {
    const subjects = ['lute', 'zither', 'cello', 'tuba']
    const ids = await Promise.all(subjects.map(propose))
    const tab = await openConsole(browser, origin, { at: 'solutions' })
    const { page, context } = tab
    await page.getByRole('button', { name: 'Mark all' }).click()
    await page.getByText('4 marked').waitFor()
    await expectClean(tab)
    await page.getByRole('button', { name: 'Approve marked' }).click()
    await page.getByText('4 published').waitFor()
    expect(await statusesOf(ids)).toEqual(Array(4).fill('approved'))
    for (const subject of subjects) expect(await ask(subject)).toContain(`A ${subject} is wiped`)

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await statusesOf(ids)).toEqual(Array(4).fill('pending'))
    for (const subject of subjects) expect(await ask(subject)).not.toContain(`A ${subject} is wiped`)
    expect(await page.locator('.solution-row').count()).toBe(4)

    for (const subject of ['lute', 'tuba']) await page.getByRole('checkbox', { name: new RegExp(subject) }).check()
    await page.getByText('2 marked').waitFor()
    await page.getByRole('button', { name: 'Reject marked' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject' })
    await dialog.getByLabel('Reason').fill('We do not sell them')
    await expectClean(tab)
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('2 rejected').waitFor()
    expect((await statusesOf(ids)).toSorted()).toEqual(['pending', 'pending', 'rejected', 'rejected'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => statusesOf(ids)).toEqual(Array(4).fill('pending'))
    await context.close()
  })

  it('is decided no further once somebody cancels', async () => {
    const ids = await Promise.all(['flute', 'oboe', 'viola', 'drum'].map(propose))
    const { page, context } = await openConsole(browser, origin, { at: 'solutions' })
    await page.locator('.solution-row').nth(3).waitFor()
    let goOn = () => {}
    let approvals = 0
    await page.route('**/approve', async (route) => {
      approvals += 1
      // The second one is under way when somebody changes their mind.
      if (approvals === 2) await new Promise<void>((resolve) => (goOn = resolve))
      await route.continue()
    })
    await page.getByRole('button', { name: 'Mark all' }).click()
    await page.getByRole('button', { name: 'Approve marked' }).click()
    await page.getByText('1 of 4').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    goOn()
    await page.getByText('2 published').waitFor()
    expect(approvals).toBe(2)
    expect((await statusesOf(ids)).toSorted()).toEqual(['approved', 'approved', 'pending', 'pending'])
    await expect.poll(() => page.locator('.solution-row').count()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.locator('.solution-row').count()).toBe(4)
    expect(await statusesOf(ids)).toEqual(Array(4).fill('pending'))
    await context.close()
  })

  it('waits again when an approval or a rejection of one is taken back', async () => {
    const id = await propose('banjo')
    const { page, context } = await openConsole(browser, origin, { at: `solutions/${id}` })
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Published: the next customer gets this answer').waitFor()
    expect(await statusOf(id)).toBe('approved')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await statusOf(id)).toBe('pending')
    await page.getByRole('link', { name: /banjo/ }).click()
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Not ours')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Rejected', { exact: true }).first().waitFor()
    expect(await statusOf(id)).toBe('rejected')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => statusOf(id)).toBe('pending')
    await context.close()
  })

  it('comes of old tickets: mined with progress, and reviewed', async () => {
    const tickets = Array.from({ length: 12 }, (_, index) => ({
      ticket_id: `t-${index}`,
      content: index % 2 ? 'My kettle leaks at the lid' : 'The remote of the lamp is lost',
      solution: index % 2 ? 'Press the seal of the lid back in.' : 'We send another remote for 9.',
      status: 'solved',
    }))
    await test.call('POST', '/api/v1/mining/tickets/import', { tickets })
    const tab = await openConsole(browser, origin, { at: 'mining' })
    const { page, context } = tab
    await page.getByRole('button', { name: 'Look for frequent problems' }).click()
    await page.getByText('2 frequent problems').waitFor({ timeout: 60_000 })
    await expectClean(tab)
    await page.getByRole('link', { name: 'Review the solutions' }).click()
    await page.getByRole('link', { name: /kettle/ }).click()
    await page.locator('.solution-replay').first().waitFor()
    await page.getByRole('button', { name: 'Mark all' }).click()
    await page.getByRole('button', { name: 'Approve marked' }).click()
    await page.getByText('2 published').waitFor()
    expect((await test.call('POST', '/api/v1/chat', { message: 'My kettle leaks at the lid' })).body.reply).toContain(
      'seal',
    )
    await context.close()
  })

  it('of an experiment is said in words, with data as without', async () => {
    const { page, context } = await openConsole(browser, origin, { at: 'experiments' })
    await page.getByRole('heading', { name: 'No experiment' }).waitFor()
    expect(await page.locator('.empty').count()).toBe(1)
    await page.getByRole('button', { name: 'New experiment' }).click()
    const dialog = page.getByRole('dialog', { name: 'New experiment' })
    await dialog.getByLabel('Name').fill('earlier')
    await dialog.getByLabel('Judged by').selectOption('feedback')
    await dialog.getByLabel('Value for the new variant').fill('0.3')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await page.getByText('Nothing is known yet').waitFor()
    const record = async (variant: string, metric_name: string, values: readonly number[]) => {
      for (const value of values) {
        const { status } = await test.call('POST', '/api/v1/operations/experiments/earlier/metrics', {
          variant,
          metric_name,
          value,
        })
        expect(status).toBe(204)
      }
    }
    const rated = (good: number) => Array.from({ length: 60 }, (_, index) => Number(index < good))
    await record('current', 'feedback', rated(15))
    await record('changed', 'feedback', rated(50))
    await record('current', 'basket', [20, 30, 40])
    await record('changed', 'basket', [21, 31, 38.5])
    await record('current', 'clicks', [1, 2, 1, 2, 1, 2])
    await record('changed', 'clicks', [8, 9, 8, 9, 8, 9])
    await page.reload()
    await page.getByText('better than "current"').waitFor()
    const table = page.getByRole('table').first()
    expect(await table.getByRole('row', { name: /changed/ }).textContent()).toMatch(/60.*83\.3%/)
    const measured = page.getByRole('row', { name: /basket/ })
    expect(await measured.textContent()).toContain('30.167 with “changed”, 30 with “current”: more')
    expect(await measured.textContent()).toContain('may be chance')
    expect(await page.getByRole('row', { name: /clicks/ }).textContent()).toContain('hardly chance')
    // What it is judged by is said once.
    expect(await page.getByRole('row', { name: /Helpful replies/ }).count()).toBe(0)
    await context.close()
    await expectCleanEverywhere(browser, origin, 'experiments/earlier', async (each) => {
      await each.locator('tbody tr').first().waitFor()
    })
  })
})
