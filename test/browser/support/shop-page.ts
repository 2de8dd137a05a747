import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const MARKUP = '<main><h1>Lamps</h1></main>'

/** A page of a shop with the widget on it, which a test may make as it likes. */
export interface ShopPage {
  /** Origin of the page; another than the service's. */
  at: string
  /** Where the widget comes from. */
  service: string
  /** Public key of the widget. */
  key: string
  markup: string
  /** More attributes of the script. */
  attributes: string
  /** Content security policy; empty: none. */
  policy: string
  reset(): void
  close(): Promise<void>
}

export async function openShop(service: string): Promise<ShopPage> {
  const server: Server = createServer((_request, response) => {
    const headers = page.policy ? { 'content-security-policy': page.policy } : {}
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    const markup = page.markup.startsWith('<html') ? `${page.markup}${MARKUP}` : `<html lang="en">${page.markup}`
    const script = `<script async src="${page.service}/widget.js" data-key="${page.key}" ${page.attributes}></script>`
    response.end(
      `<!doctype html>${markup.replace('>', '><meta name="viewport" content="width=device-width"><title>A shop</title><body>')}${script}`,
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const page: ShopPage = {
    at: `http://shop.localhost:${(server.address() as AddressInfo).port}`,
    service,
    key: '',
    markup: MARKUP,
    attributes: '',
    policy: '',
    reset() {
      page.service = service
      page.markup = MARKUP
      page.attributes = ''
      page.policy = ''
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
  return page
}
