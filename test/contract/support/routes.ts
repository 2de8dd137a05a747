import type { App } from '../../../src/http/server.ts'

/** One method of one path, as the program itself lists it. */
export interface KnownRoute {
  method: string
  /** With parameters as `:name`. */
  path: string
  /** First segment after `/api/v1/`, '' for what is not of the API. */
  group: string
}

/** Groups that never check a credential, by the specification. */
const OPEN_GROUPS = new Set(['health', 'performance', 'observability', 'monitor', 'operations'])
/** What those groups have beyond the specification and that writes or names conversations. */
const KEYED_OF_OPEN_GROUPS = new Set([
  'DELETE /api/v1/operations/experiments/:name',
  'POST /api/v1/operations/experiments/:name/end',
  'GET /api/v1/operations/series/conversations',
  'POST /api/v1/observability/alerts/:alert_id/acknowledge',
  'POST /api/v1/observability/alerts/:alert_id/silence',
  'DELETE /api/v1/observability/alerts/:alert_id/silence',
])
/** Where somebody says who they are: a credential cannot be asked for before. */
const LOG_IN = '/api/v1/console/session'
/** Doors for platforms that cannot send a key; they check a signature instead. */
const SIGNED = new Set(['/api/v1/attachments/:attachment_id', '/api/v1/gateway/wechat', '/api/v1/gateway/dingtalk'])

/** Every route of the running program, read from its router and so not from what it says about itself. */
export function routesOf(app: App): KnownRoute[] {
  const prefixes: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const match = /^([│├└─ ]*)(\S+) \(([A-Z, ]+)\)$/u.exec(line)
      if (!match) return []
      const [, indent = '', part = '', methods = ''] = match
      const depth = indent.length / 4 - 1
      prefixes.length = depth
      const path = prefixes.join('') + part
      prefixes.push(part)
      const group = /^\/api\/v1\/([^/]+)/.exec(path)?.[1] ?? ''
      return methods.split(', ').map((method) => ({ method, path, group }))
    })
}

export function isKeyed({ method, path, group }: KnownRoute): boolean {
  if (KEYED_OF_OPEN_GROUPS.has(`${method === 'HEAD' ? 'GET' : method} ${path}`)) return true
  if (path === LOG_IN) return false
  if (path === '/mcp') return true
  return group !== '' && !OPEN_GROUPS.has(group) && !SIGNED.has(path) && !isOfWidget(path)
}

/** Of pages of the shop, by tokens of their own: test/contract/widget.test.ts. */
export function isOfWidget(path: string): boolean {
  return path.startsWith('/api/v1/widget/')
}

/** The path with something in place of its parameters. */
export function fillPath({ path }: KnownRoute, value = 'no-such-thing'): string {
  return path.replace(/:\w+/g, encodeURIComponent(value)).replace('*', value)
}

/** Whether the path that another route is asked by is one of this route's too: `/solutions/pending` is a `/solutions/:id`. */
export function serves({ path }: KnownRoute, asked: string): boolean {
  const [own, given] = [path.split('/'), asked.split('/')]
  return own.length === given.length && own.every((part, index) => part.startsWith(':') || part === given[index])
}

/** Whether the route answers with events for as long as the caller stays. */
export function isStream(app: App, { method, path }: KnownRoute): boolean {
  const operation = app.swagger().paths?.[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase() as 'get']
  const success = operation?.responses?.['200'] as { content?: Record<string, unknown> } | undefined
  return 'text/event-stream' in (success?.content ?? {})
}
