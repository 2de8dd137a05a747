import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Debian's; playwright's own is not downloaded. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Nothing but the tests' pages is asked for. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const hasBrowser = existsSync(CHROMIUM)
if (!hasBrowser && process.env.CI) throw new Error(`Pages are tested in Chromium, which CI installs: ${CHROMIUM}`)
if (!hasBrowser) console.info(`No ${CHROMIUM}: pages are not tested in a browser here`)

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET })
}

/** A tab of a browser of its own: no cookies, no stores. */
export interface Tab {
  context: BrowserContext
  page: Page
  /** Lines of the console that are errors, and failures of the page. */
  complaints: string[]
}

export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  return { context, page, complaints }
}

/** An empty page, under as many names as a browser gives to loopback: `*.localhost`. */
export async function servePage(): Promise<{ at(name: string): string; close(): Promise<void> }> {
  const server: Server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title>A shop</title><p>Shop</p>')
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  return {
    at: (name) => `http://${name}.localhost:${port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
