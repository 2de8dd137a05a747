import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'

const FRAMES = 120
/** As far as a list of a hundred goes. */
const STEP_PX = 50

/** A list as the service gives it, in one page: how it is fetched is another matter. */
function listOf(count: number): string {
  const at = '2026-01-02T03:04:05.000Z'
  const sessions = Array.from({ length: count }, (_, index) => ({
    session_id: `s-${index}`,
    user_id: `customer ${index}`,
    channel: 'web',
    agent_status: 'none',
    agent_id: null,
    priority: 'medium',
    turn_count: 1,
    intent: 'faq',
    created_at: at,
    updated_at: at,
    escalated_at: null,
    resolved_at: null,
    waiting_since: null,
    waiting_seconds: null,
    overdue: false,
    unread: 0,
    labels: [],
    rating: null,
    last_message: { message_id: `m-${index}`, role: 'user', content: `Question ${index}`, timestamp: at },
  }))
  return JSON.stringify({ sessions, next_before: null, counts: { mine: 0, waiting: 0, assigned: 0, all: count } })
}

describe.runIf(hasBrowser)('a list of conversations', { timeout: 120_000 }, () => {
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

  it('draws what is seen alone, of a hundred as of a hundred thousand', async () => {
    const few = await measure(100)
    const many = await measure(100_000)
    console.info(
      `Script time per frame while scrolling: ${few.scriptMs.toFixed(2)} ms of 100, ${many.scriptMs.toFixed(2)} ms of 100,000`,
    )
    expect(few.rows).toBeLessThan(60)
    expect(many.rows).toBeLessThan(60)
    expect(many.lastSeen).toBeGreaterThan(60)
  })

  async function measure(count: number): Promise<{ rows: number; scriptMs: number; lastSeen: number }> {
    const tab = await openConsole(browser, origin, { at: 'settings/labels' })
    const { page, context } = tab
    const body = listOf(count)
    await page.route('**/api/v1/agent/sessions?*', (route) => route.fulfill({ contentType: 'application/json', body }))
    await page.goto(`${origin}/#/inbox?tab=all`)
    await page.locator('.inbox-row').first().waitFor()
    const developer = await context.newCDPSession(page)
    await developer.send('Performance.enable')
    const before = await scriptSeconds(developer)
    await scroll(page)
    const after = await scriptSeconds(developer)
    const rows = await page.locator('.inbox-row').count()
    const last = await page.locator('.inbox-row-name').last().textContent()
    await context.close()
    return { rows, scriptMs: ((after - before) * 1000) / FRAMES, lastSeen: Number(last?.replace('customer ', '')) }
  }

  async function scriptSeconds(developer: {
    send(method: 'Performance.getMetrics'): Promise<{ metrics: { name: string; value: number }[] }>
  }) {
    const { metrics } = await developer.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0
  }

  /** Down, a step each frame. */
  function scroll(page: Page): Promise<void> {
    return page.evaluate(`(async () => {
      const box = document.querySelector('.virtual')
      for (let frame = 0; frame < ${FRAMES}; frame++) {
        box.scrollBy(0, ${STEP_PX})
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    })()`)
  }
})
