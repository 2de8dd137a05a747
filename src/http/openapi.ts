import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { open } from './auth.ts'
import type { App } from './server.ts'

export interface ApiDescription {
  title: string
  version: string
  /** Tag name → what the group is for, in the order in which the pages show them. */
  groups: Record<string, string>
}

const require = createRequire(import.meta.url)
const API_CSP = { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false }
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

/** Security headers everywhere, and the interactive API pages with every asset from this process. */
export async function describeApi(app: App, { title, version, groups }: ApiDescription): Promise<void> {
  await app.register(helmet, { contentSecurityPolicy: API_CSP, hsts: false })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description: 'Customer-service back end. Errors are always `{"detail": string}`.' },
      tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    },
    transform: ({ schema, url, route }) => {
      const keyed = route.config?.auth !== 'open'
      return { schema: { ...schema, ...(keyed ? { security: [{ apiKey: [] }] } : {}) }, url }
    },
  })
  await servePages(app, title)
}

async function servePages(app: App, title: string): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true }, config: open }, async () => app.swagger())
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...open }
    })
    pages.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', PAGE_CSP)
    })
    await pages.register(swaggerUi, { routePrefix: '/docs', uiConfig: { validatorUrl: null, deepLinking: true } })
    const bundle = dirname(require.resolve('redoc/bundles/redoc.standalone.js'))
    await pages.register(fastifyStatic, {
      root: bundle,
      prefix: '/redoc/',
      index: false,
      decorateReply: false,
      allowedPath: isBundle,
    })
    pages.get('/redoc', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/html').send(redocPage(title)),
    )
  })
}

function isBundle(path: string): boolean {
  return path === '/redoc.standalone.js'
}

function redocPage(title: string): string {
  const safe = title.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${safe}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>body{margin:0}</style></head>
<body><redoc spec-url="/openapi.json"></redoc><script src="/redoc/redoc.standalone.js"></script></body></html>`
}
