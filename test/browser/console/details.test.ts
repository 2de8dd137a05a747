import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, encodeForm, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { expectClean, openConsole } from '../support/console.ts'
import { askAs, loadShop } from '../support/shop.ts'

const CUSTOMER = 'wang_xiaoming_9647'

describe.runIf(hasBrowser)('in the console', { timeout: 120_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    test = await createTestApp()
    await loadShop(test)
    browser = await openBrowser()
    origin = await originOf(test.app)
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  const reply = (page: Page) => page.getByRole('form', { name: 'Reply or note' }).locator('textarea')

  it('a reply of the assistant is answered better, and the next customer gets that', async () => {
    const question = 'Which products do you have and what do they cost?'
    await askAs(test, 's-better', question, 'tom')
    const tab = await openConsole(browser, origin, { at: 'inbox/s-better?tab=all' })
    const { page, context } = tab
    const said = page.getByRole('article', { name: 'Assistant' }).first()
    // A table of a document is a table, and its sources stand below the reply alone.
    await said.getByRole('row', { name: /Filter class/ }).waitFor()
    expect(await said.locator('.message-text').textContent()).not.toContain('Source:')
    await said.getByRole('button', { name: 'Answer better' }).click()
    const dialog = page.getByRole('dialog', { name: 'Answer better' })
    expect(await dialog.getByLabel('Question').inputValue()).toBe(question)
    await dialog
      .getByLabel('Answer', { exact: true })
      .fill('We have lamps, purifiers and kettles, from ¥199 to ¥1,299.')
    await dialog.getByRole('button', { name: 'Try it' }).click()
    await dialog.locator('.solution-replay').first().waitFor()
    await expectClean(tab)
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Published: the next customer gets this answer').waitFor()
    expect(await askAs(test, 's-next', question)).toContain('from ¥199')
    await context.close()
  })

  it('an order is changed only after a yes, a reply is drafted, and earlier conversations are known', async () => {
    await askAs(test, 's-before', 'What is the return window?', CUSTOMER)
    await askAs(test, 's-order', 'How long may I return headphones? I want to talk to a person', CUSTOMER)
    const tab = await openConsole(browser, origin, { at: 'inbox/s-order?tab=waiting' })
    const { page, context } = tab
    await page.getByRole('button', { name: /^Take/ }).waitFor()
    await page.keyboard.press('a')
    await page.getByText('You have the conversation').waitFor()
    // Whoever has just taken it need not be told that the customer waits.
    expect(await page.locator('.inbox-row[aria-current]').textContent()).not.toMatch(/waits|no reply/)

    await page.getByRole('button', { name: 'Draft from knowledge' }).click()
    await page.getByText(/^Drafted from returns\.en\.md/).waitFor()
    expect(await reply(page).inputValue()).toContain('15 days')
    await reply(page).fill('')

    await page.getByRole('textbox', { name: 'Look up' }).fill('Cancel order #W9917783')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('Nothing has been changed yet. Do it?').waitFor()
    await expectClean(tab)
    await page.getByRole('button', { name: 'Yes, do it' }).click()
    await page.getByRole('button', { name: 'Into the reply' }).click()
    await expect.poll(() => reply(page).inputValue()).toContain('W9917783')
    const { body } = await test.call('POST', '/api/v1/chat', {
      message: 'What is the state of order #W9917783?',
      user_id: CUSTOMER,
    })
    expect(body.reply).toMatch(/cancel/i)

    const earlier = page.getByRole('region', { name: 'Earlier conversations' })
    await earlier.getByRole('link').first().waitFor()
    await context.close()
  })

  it('a customer whom nobody takes is seen to go back to the assistant', async () => {
    await askAs(test, 's-left', 'I want to talk to a person', 'left')
    const row = (await test.call('GET', '/api/v1/agent/sessions?status=pending')).body.sessions.find(
      ({ session_id: id }: { session_id: string }) => id === 's-left',
    )
    expect(Date.parse(row.returns_at) - Date.parse(row.waiting_since)).toBe(900_000)
    expect(row.last_message).toMatchObject({ role: 'user', content: 'I want to talk to a person' })
    const { page, context } = await openConsole(browser, origin, { at: 'nowhere' })
    await page.getByText('There is nothing at this address').waitFor()
    await page.clock.setFixedTime(Date.parse(row.returns_at) - 120_000)
    await page.goto(`${origin}/#/inbox?tab=waiting`)
    await page.reload()
    await page.getByRole('link', { name: /left/ }).getByText('to the assistant in 2 mins').waitFor()
    await context.close()
  })

  it('the dashboard asks once for all of its numbers, and each leads to its conversations', async () => {
    await askAs(test, 's-number', 'I want to talk to a person', 'number')
    const tab = await openConsole(browser, origin, { at: 'settings/labels' })
    const { page, context } = tab
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${origin}/#/dashboard?days=1`)
    await page.locator('.dashboard-numbers').first().waitFor()
    await page.locator('.behind-line').first().waitFor()
    const ofScreen = asked.filter((path) => path.startsWith('/api/v1/operations/'))
    expect(ofScreen.toSorted()).toEqual([
      '/api/v1/operations/dashboard',
      '/api/v1/operations/series/conversations',
      '/api/v1/operations/series/several',
    ])
    await page.getByRole('link', { name: /Handed to a person/ }).click()
    const behind = page.getByRole('complementary', { name: 'Conversations behind it' })
    await behind.getByRole('link', { name: 'I want to talk to a person' }).first().click()
    await page.getByRole('article', { name: 'Customer' }).getByText('I want to talk to a person').waitFor()
    for (const days of ['7 days', '30 days', '90 days']) {
      await page.goto(`${origin}/#/dashboard`)
      await page.getByRole('tab', { name: days }).click()
      await page.locator('.dashboard-numbers').first().waitFor()
      expect(await page.getByRole('link', { name: /^Questions/ }).textContent()).toMatch(/Questions\d/)
    }
    await expectClean(tab)
    await context.close()
  })

  it('what a model costs leads to the turns and conversations behind it', async () => {
    await askAs(test, 's-cost', 'How long does shipping take?', 'cost')
    await test.call('GET', '/api/v1/monitor/traces')
    await sql`update traces set input_tokens = 900, output_tokens = 100 where session_id = 's-cost'`.execute(
      test.db.executor,
    )
    await sql`insert into model_calls (call_id, agent, tier, model, input_tokens, output_tokens, estimated, attempts,
        first_token_ms, duration_ms, outcome, ended_at)
      values ('call_test', 'composer', 'standard', 'some-model', 900, 100, false, 1, 5, 10, 'ok', now())`.execute(
      test.db.executor,
    )
    const tab = await openConsole(browser, origin, { at: 'costs' })
    const { page, context } = tab
    await page.getByRole('row', { name: /some-model/ }).waitFor()
    const behind = page.getByRole('listitem').filter({ hasText: 'How long does shipping take?' })
    await behind.getByText('1,000').waitFor()
    await expectClean(tab)
    await page.getByRole('link', { name: 'composer' }).click()
    await page.getByRole('heading', { name: 'Traces' }).waitFor()
    expect(page.url()).toContain('agent=composer')
    await page.goBack()
    await behind.getByRole('link').click()
    await page.getByRole('article', { name: 'Customer' }).getByText('How long does shipping take?').waitFor()
    await context.close()
  })

  it('ninety days are seen where days do not begin with those of UTC', async () => {
    const context = await browser.newContext({ timezoneId: 'Asia/Shanghai', locale: 'zh-CN' })
    const page = await context.newPage()
    await page.goto(`${origin}/#/dashboard?days=90`)
    await page.getByText('提问数').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await context.close()
  })

  it('traces are gone through by keys, and say in both languages what each step did', async () => {
    await askAs(test, 's-steps', '发票怎么开？', 'li')
    const tab = await openConsole(browser, origin, { at: 'traces', language: 'zh' })
    const { page, context } = tab
    await page.locator('.split-row').nth(1).waitFor()
    await page.keyboard.press('j')
    const steps = page.getByRole('list', { name: '步骤' })
    await steps.getByRole('button', { name: /理解问题/ }).waitFor()
    await page.getByText(/ · 中文$/).waitFor()
    const first = page.url()
    await page.keyboard.press('j')
    await expect.poll(() => page.url()).not.toBe(first)
    await page.keyboard.press('k')
    await expect.poll(() => page.url()).toBe(first)
    await steps.getByRole('button', { name: /组织语言/ }).waitFor()
    expect(await steps.textContent()).not.toMatch(/[a-z]{4,}/)
    await expectClean(tab)
    await context.close()
  })

  it('Chinese is said throughout: checks, settings, parts of scores, and what is not set up', async () => {
    const { page, context } = await openConsole(browser, origin, { at: 'settings/checklist', language: 'zh' })
    await page.getByText('API_KEY 为空：没有身份验证').waitFor()
    await page.goto(`${origin}/#/settings/system`)
    await page
      .getByRole('row', { name: /HANDOFF_TIMEOUT_SECONDS/ })
      .getByText('客户等待人工的时长')
      .waitFor()
    const meanings = await page.locator('tbody td:last-child').allTextContents()
    expect(meanings.length).toBeGreaterThan(100)
    expect(meanings.filter((meaning) => !/\p{Script=Han}/u.test(meaning))).toEqual([])
    await page.goto(`${origin}/#/playground?q=${encodeURIComponent('发票怎么开')}`)
    await page.locator('.why summary').first().click()
    expect(await page.locator('.why').first().textContent()).not.toMatch(/[a-z]{4,}/)
    await page.goto(`${origin}/#/alerts`)
    const breakers = page.getByRole('complementary').locator('section').last()
    await breakers.getByText('大模型').waitFor()
    expect(await breakers.getByRole('listitem').filter({ hasText: '大模型' }).textContent()).toBe('大模型未配置')
    expect(await breakers.getByRole('listitem').filter({ hasText: '微信' }).textContent()).toBe('微信未配置')
    await context.close()
  })

  it('close scores share a number that can be read', async () => {
    const { page, context } = await openConsole(browser, origin, {
      at: `playground?q=${encodeURIComponent('How long can I return headphones')}`,
    })
    await page.locator('.playground-scale text').first().waitFor()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const boxes = async () =>
        (await Promise.all((await page.locator('.playground-scale text').all()).map((text) => text.boundingBox())))
          .flatMap((box) => box ?? [])
          .toSorted((one, other) => one.x - other.x)
      await expect
        .poll(async () =>
          (await boxes()).every(
            (box, index, all) => index === 0 || box.x >= (all[index - 1]?.x ?? 0) + (all[index - 1]?.width ?? 0),
          ),
        )
        .toBe(true)
      expect((await boxes()).every(({ height }) => height >= 10)).toBe(true)
    }
    await context.close()
  })

  it('an evaluation is cancelled', async () => {
    const cases = Array.from({ length: 200 }, (_, index) => ({
      query: `What is the return window of item ${index}?`,
      expected_sources: ['returns.en.md'],
    }))
    const { body, contentType } = encodeForm(JSON.stringify(cases), 'long.json', { name: 'long' })
    const { status } = await test.call('POST', '/api/v1/evaluation/testsets', body, { 'content-type': contentType })
    expect(status).toBeLessThan(300)
    const tab = await openConsole(browser, origin, { at: 'evaluation' })
    const { page, context } = tab
    await page.getByRole('combobox', { name: 'Test set' }).selectOption('long')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled').waitFor()
    expect((await test.call('GET', '/api/v1/evaluation/runs?limit=1')).body.runs[0].state).toBe('cancelled')
    await context.close()
  })

  it('what a desk needs is set: hours, labels, saved replies', async () => {
    const tab = await openConsole(browser, origin, { at: 'settings/labels' })
    const { page, context } = tab
    await page.getByLabel('New label').fill('Refunds')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect
      .poll(async () =>
        (await test.call('GET', '/api/v1/agent/labels')).body.labels.map(({ name }: { name: string }) => name),
      )
      .toContain('Refunds')
    await page.goto(`${origin}/#/settings/hours`)
    await page.locator('.hours-day').first().waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()
    await expectClean(tab)
    await context.close()
  })
})
