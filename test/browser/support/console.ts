import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openTab, type Tab } from './browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Language = 'zh' | 'en'
export type Scheme = 'light' | 'dark'

export interface ConsoleOptions {
  /** Place in the console: `knowledge/some-id`. */
  at?: string
  language?: Language
  scheme?: Scheme
  viewport?: { width: number; height: number }
}

/** Both languages in both colour schemes. */
export const LOOKS: readonly { language: Language; scheme: Scheme }[] = [
  { language: 'en', scheme: 'light' },
  { language: 'en', scheme: 'dark' },
  { language: 'zh', scheme: 'light' },
  { language: 'zh', scheme: 'dark' },
]

/** The console of a service in a browser of its own. Its complaints hold every console error, CSP violations among them. */
export function openConsole(browser: Browser, origin: string, options: ConsoleOptions = {}): Promise<Tab> {
  const { at = '', language = 'en', scheme = 'light', viewport = { width: 1440, height: 900 } } = options
  return openTab(browser, `${origin}/#/${at}`, {
    locale: language === 'zh' ? 'zh-CN' : 'en-GB',
    colorScheme: scheme,
    viewport,
    reducedMotion: 'reduce',
  })
}

/** Violations of what axe knows of, on the whole page as it is now, in words. */
export async function violationsOf(page: Page): Promise<string[]> {
  // By the protocol of the developer tools: the page's own policy lets nothing in.
  await page.evaluate(AXE)
  const results = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.html}`),
  )
}

/** Nothing wrong with a page: axe finds nothing, and the browser has not complained. */
export async function expectClean({ page, complaints }: Pick<Tab, 'page' | 'complaints'>): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
  expect(complaints).toEqual([])
}

/**
 * A place of the console in both languages and both colour schemes, with nothing wrong in any.
 * @param ready waits until the screen shows what it is for
 */
export async function expectCleanEverywhere(
  browser: Browser,
  origin: string,
  at: string,
  ready: (page: Page) => Promise<unknown>,
): Promise<void> {
  for (const look of LOOKS) {
    const tab = await openConsole(browser, origin, { at, ...look })
    await ready(tab.page)
    await expectClean(tab)
    await tab.context.close()
  }
}
