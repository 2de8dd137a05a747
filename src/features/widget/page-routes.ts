import { pageHeaders } from '../../http/security.ts'
import type { App } from '../../http/server.ts'
import { PAGE_CSP, toPage, wantedLanguage } from './page.ts'
import type { Widgets } from './widgets.ts'

interface Asked {
  Querystring: { key?: string; lang?: string }
}

/** `/widget?key=pk_…`: a page of our own with nothing but the widget on it, also from the internet. */
export function widgetPageRoute(app: App, { widgets }: { widgets: Pick<Widgets, 'byKey'> }): void {
  const headers = pageHeaders(PAGE_CSP)
  app.get<Asked>(
    '/widget',
    { schema: { hide: true }, config: { auth: 'open', isPublic: true } },
    async ({ query: { key, lang }, headers: asked }, reply) => {
      const widget = typeof key === 'string' ? widgets.byKey(key) : undefined
      const language = wantedLanguage(typeof lang === 'string' ? lang : undefined, asked['accept-language'])
      // The key as it was asked for: one that was replaced goes on as it does elsewhere.
      const page = toPage(widget && { key: key as string, settings: widget.settings }, language)
      reply.headers(headers).header('cache-control', 'no-cache').header('vary', 'accept-language')
      return reply
        .code(widget ? 200 : 404)
        .type('text/html; charset=utf-8')
        .send(page)
    },
  )
}
