import type { FastifyReply, FastifyRequest } from 'fastify'
import { open } from '../../http/auth.ts'
import { pageHeaders } from '../../http/security.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { type Demo, describeDemo, type HelpPage, type RecordsOf } from './demo.ts'
import type { Pages } from './files.ts'
import { FOR_EVER, send } from './routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Shows the sample shop at `/demo`; without it there is none. */
    showDemo(demo: Demo): void
  }
}

const DEMO_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'"

/** Pages of a shop, for `npm run demo` alone. */
export function demoRoutes(app: App, { pages, recordsOf }: { pages: Pages; recordsOf: RecordsOf }): void {
  let demo: Demo | null = null
  app.decorate('showDemo', (given: Demo) => {
    demo = given
  })
  const shown = (): Demo => {
    if (!demo) throw new AppError('not_found', 'demo', 'Not found')
    return demo
  }
  const helpPage = (name: string): HelpPage => {
    const found = shown().help.find((page) => page.name === name)
    if (!found) throw new AppError('not_found', 'help_page', 'Not found')
    return found
  }
  const options = { schema: { hide: true }, config: open }
  const headers = pageHeaders(DEMO_CSP)
  const sendPage = (request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply => {
    const page = pages.get(`demo/${name}`)
    if (!page) throw new AppError('not_found', 'page_file', 'The demo was not built: npm run setup says why')
    return send(request, reply.headers(headers).header('cache-control', 'no-cache'), page)
  }
  app.get('/demo', options, async (request, reply) => {
    shown()
    return sendPage(request as FastifyRequest, reply as FastifyReply, 'index.html')
  })
  app.get<{ Params: { name: string } }>('/demo/help/:name', options, async (request, reply) => {
    helpPage(request.params.name)
    return sendPage(request as FastifyRequest, reply as FastifyReply, 'help.html')
  })
  app.get<{ Params: { name: string } }>('/demo/help/:name/text', options, async ({ params }) =>
    toSnakeCase(helpPage(params.name)),
  )
  app.get<{ Params: { name: string } }>('/demo/assets/:name', options, async (request, reply) => {
    const file = pages.get(`demo/assets/${request.params.name}`)
    if (!file) throw new AppError('not_found', 'page_file', 'Not found')
    return send(request, reply.header('cache-control', FOR_EVER), file)
  })
  app.get<{ Querystring: { customer?: string } }>('/demo/widget', options, async ({ query }) =>
    toSnakeCase(await describeDemo(shown(), query.customer, recordsOf)),
  )
}
