import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { openTab, type Tab } from './browser.ts'
import type { ShopPage } from './shop-page.ts'

/** A tab of the shop in which somebody has opened the widget, if nothing else is said. */
export async function openWidget(
  browser: Browser,
  shop: ShopPage,
  { isOpened = true, ...options }: BrowserContextOptions & { isOpened?: boolean } = {},
): Promise<Tab> {
  const tab = await openTab(browser, shop.at, {
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...options,
  })
  const launcher = tab.page.getByRole('button', { name: 'Open the chat' })
  if (isOpened) await launcher.click()
  else await launcher.waitFor()
  return tab
}

export const fieldOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Write your question …' })

export async function write(page: Page, text: string): Promise<void> {
  await fieldOf(page).fill(text)
  await fieldOf(page).press('Enter')
}

/** What the customer has said, as it stands there. */
export const saidBy = (page: Page, who: string): Promise<string[]> =>
  page.getByRole('article', { name: who, exact: true }).locator('.text').allTextContents()

/** Id of the conversation that a page is in, as its token tells. */
export function sessionOf(page: Page, shop: ShopPage): Promise<string> {
  return page.evaluate(
    `JSON.parse(atob(JSON.parse(localStorage.getItem('frontdesk.${shop.key}')).token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))).sid`,
  )
}
