import type { FastifyReply, FastifyRequest } from 'fastify'
import { open } from '../../http/auth.ts'
import { pageHeaders } from '../../http/security.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { chooseEncoding, type PageFile, type Pages } from './files.ts'

/** Nothing inline, nothing from elsewhere, and no text that becomes a script or markup. */
const CONSOLE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
/** For names that change with what they name. */
export const FOR_EVER = 'public, max-age=31536000, immutable'
const OPENER = 'cross-origin-opener-policy'
const CLUSTER = 'origin-agent-cluster'
const WIDGET = { ...open, isPublic: true, isCrossOrigin: true } as const
/** Its name stays, so a new one is seen after some minutes. */
const FOR_A_WHILE = 'public, max-age=300'

/** `/` and what it loads, each from memory. */
export function webRoutes(app: App, { pages }: { pages: Pages }): void {
  const options = { schema: { hide: true }, config: open }
  const { [OPENER]: opener, [CLUSTER]: cluster, ...headers } = pageHeaders(CONSOLE_CSP)
  app.get('/', options, async (request, reply) => {
    // Browsers complain of these over plain http, where they mean nothing.
    if (request.protocol === 'https') reply.headers({ [OPENER]: opener, [CLUSTER]: cluster })
    const index = pages.get('index.html')
    if (!index) return reply.headers(headers).type('text/html; charset=utf-8').send(NOT_BUILT)
    return send(request, reply.headers(headers).header('cache-control', 'no-cache'), index)
  })
  // Pages of the shop load it from here; it holds nothing but itself.
  app.get('/widget.js', { schema: { hide: true }, config: WIDGET }, async (request, reply) => {
    const file = pages.get('widget.js')
    if (!file) throw new AppError('not_found', 'page_file', 'The widget was not built: npm run setup says why')
    reply.header('cache-control', FOR_A_WHILE).header('cross-origin-resource-policy', 'cross-origin')
    return send(request, reply, file)
  })
  app.get<{ Params: { name: string } }>('/assets/:name', options, async (request, reply) => {
    const file = pages.get(`assets/${request.params.name}`)
    if (!file) throw new AppError('not_found', 'page_file', 'Not found')
    return send(request, reply.header('cache-control', FOR_EVER), file)
  })
}

/** Answers with a file from memory, in the smallest form that the browser takes, or that it has it already. */
export function send({ headers }: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.header('etag', file.etag).header('vary', `${reply.getHeader('vary') ? 'origin, ' : ''}accept-encoding`)
  if (isKnown(headers['if-none-match'], file.etag)) return reply.code(304).send()
  const encoding = chooseEncoding(file, headers['accept-encoding'])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.type).send(file.content[encoding])
}

/** Compared weakly: proxies that compress mark tags as weak. */
function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag) ?? false
}

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Frontdesk</title></head><body>
<h1>The console was not built</h1>
<p>The service itself runs: the API answers below <code>/api/v1</code>, and <a href="/docs">/docs</a> describes it.</p>
<p><code>npm run setup</code> builds the console and says why it could not be; then start again.</p>
<h2 lang="zh">控制台未构建</h2>
<p lang="zh">服务正常运行：接口在 <code>/api/v1</code>，文档在 <a href="/docs">/docs</a>。运行 <code>npm run setup</code> 可重新构建并查看失败原因，然后重启。</p>
</body></html>`
