import { open } from '../../http/auth.ts'
import { pageHeaders } from '../../http/security.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { type Demo, describeDemo } from './demo.ts'
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

/** A page of a shop, for `npm run demo` alone. */
export function demoRoutes(app: App, { pages }: { pages: Pages }): void {
  let demo: Demo | null = null
  app.decorate('showDemo', (given: Demo) => {
    demo = given
  })
  const shown = (): Demo => {
    if (!demo) throw new AppError('not_found', 'demo', 'Not found')
    return demo
  }
  const options = { schema: { hide: true }, config: open }
  const headers = pageHeaders(DEMO_CSP)
  app.get('/demo', options, async (request, reply) => {
    shown()
    const page = pages.get('demo/index.html')
    if (!page) throw new AppError('not_found', 'page_file', 'The demo was not built: npm run setup says why')
    return send(request, reply.headers(headers).header('cache-control', 'no-cache'), page)
  })
  app.get<{ Params: { name: string } }>('/demo/assets/:name', options, async (request, reply) => {
    const file = pages.get(`demo/assets/${request.params.name}`)
    if (!file) throw new AppError('not_found', 'page_file', 'Not found')
    return send(request, reply.header('cache-control', FOR_EVER), file)
  })
  app.get<{ Querystring: { customer?: string } }>('/demo/widget', options, async ({ query }) =>
    toSnakeCase(await describeDemo(shown(), query.customer)),
  )
}
