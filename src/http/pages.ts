import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyReply } from 'fastify'
import { open } from './auth.ts'
import { pageHeaders } from './security.ts'
import type { App } from './server.ts'

const require = createRequire(import.meta.url)
const REDOC = require.resolve('redoc/bundles/redoc.standalone.js')
/** The one thing that Redoc would fetch from elsewhere, and an image of one transparent pixel in its place. */
const REMOTE_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg'
const NO_LOGO = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
const ONE_DAY = 'public, max-age=86400'

/** The pages style themselves inline and use data images; scripts and requests stay on this host. */
const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `/openapi.json`, and Swagger UI and Redoc over it, with every asset from this process. */
export async function servePages(app: App, title: string): Promise<void> {
  let description: string | undefined
  app.get('/openapi.json', { schema: { hide: true }, config: open }, async (_request, reply) => {
    // It is long, the same for as long as the process lives, and anybody may ask for it.
    description ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(description)
  })
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...open }
    })
    const headers = pageHeaders(PAGE_CSP)
    pages.addHook('onSend', async (_request, reply) => {
      // Errors keep the policy of the API.
      if (reply.statusCode < 400) reply.headers(headers)
    })
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      uiConfig: { validatorUrl: null, deepLinking: true },
      theme: { title: asText(title) },
    })
    serveRedoc(pages, title)
  })
}

function serveRedoc(pages: Pick<App, 'get'>, title: string): void {
  const send = (reply: FastifyReply, type: string, body: string) => reply.type(type).send(body)
  const schema = { hide: true }
  pages.get('/redoc', { schema }, async (_request, reply) => send(reply, 'text/html; charset=utf-8', page(title)))
  pages.get('/redoc/redoc.standalone.js', { schema }, async (_request, reply) => {
    reply.header('cache-control', ONE_DAY)
    // Read when it is asked for: it is two megabytes, for pages that few open, and a browser keeps it for a day.
    return send(
      reply,
      'text/javascript; charset=utf-8',
      (await readFile(REDOC, 'utf8')).replaceAll(REMOTE_LOGO, NO_LOGO),
    )
  })
}

function page(title: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${asText(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>body{margin:0}</style></head>
<body><redoc spec-url="/openapi.json"></redoc><script src="/redoc/redoc.standalone.js"></script></body></html>`
}

function asText(title: string): string {
  return title.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
