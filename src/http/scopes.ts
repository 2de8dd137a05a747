import type { FastifyInstance } from 'fastify'
import type { Scope } from '../kernel/scopes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Any of these lets a named key use the route; on an open one, see what is kept from strangers. */
    scopes?: readonly Scope[]
  }
}

interface GroupScopes {
  reads: readonly Scope[]
  writes: readonly Scope[]
}

const both = (...scopes: Scope[]): GroupScopes => ({ reads: scopes, writes: scopes })

/**
 * The one place that says which scope a route asks for, by the first segment after `/api/v1/`. The first scope of a
 * list is the one that a refusal names. Open groups stand here too: what they show to holders of a key alone needs it.
 */
const BY_GROUP: Readonly<Record<string, GroupScopes>> = {
  chat: both('chat', 'agent'),
  // By signed links alone.
  attachments: both('chat', 'agent'),
  gateway: both('chat', 'agent'),
  // By tokens of their own alone.
  widget: both('chat', 'agent'),
  agent: both('agent'),
  escalation: { reads: ['agent', 'knowledge'], writes: ['knowledge'] },
  knowledge: { reads: ['read', 'knowledge'], writes: ['knowledge'] },
  update: { reads: ['read', 'knowledge'], writes: ['knowledge'] },
  mining: { reads: ['read', 'knowledge'], writes: ['knowledge'] },
  evaluation: { reads: ['read', 'knowledge'], writes: ['knowledge'] },
  tuner: { reads: ['read', 'knowledge'], writes: ['admin'] },
  business: both('admin'),
  customers: both('admin'),
  keys: both('admin'),
  settings: both('admin'),
  webhooks: both('admin'),
  console: both('admin'),
  // Traces and sessions are what customers said.
  monitor: both('agent'),
  performance: { reads: ['read'], writes: ['admin'] },
  observability: { reads: ['read'], writes: ['admin'] },
  operations: { reads: ['read'], writes: ['admin'] },
  health: { reads: ['read'], writes: ['admin'] },
}

/** Routes that differ from their group. */
const BY_ROUTE: Readonly<Record<string, readonly Scope[]>> = {
  // Colleagues hand conversations to each other.
  'GET /api/v1/console/people': ['agent', 'knowledge'],
  // Of what the caller may not see there is no number.
  'GET /api/v1/console/todo': ['agent', 'read', 'knowledge'],
  'POST /api/v1/agent/teams': ['admin'],
  'PUT /api/v1/agent/teams/:team_id': ['admin'],
  'DELETE /api/v1/agent/teams/:team_id': ['admin'],
  'POST /api/v1/escalation/solution': ['agent'],
  'GET /api/v1/chat/feedback': ['agent'],
  // Questions of customers.
  'GET /api/v1/knowledge/gaps': ['agent', 'knowledge'],
  'GET /api/v1/knowledge/gaps/:gap_id': ['agent', 'knowledge'],
  // Texts of documents, those for staff too.
  'GET /api/v1/knowledge/documents/:doc_id/versions/:version/chunks': ['agent', 'knowledge'],
  'GET /api/v1/knowledge/documents/:doc_id/versions/:version/diff': ['agent', 'knowledge'],
  'GET /api/v1/knowledge/documents/:doc_id/versions/:version/file': ['agent', 'knowledge'],
  // Questions of customers.
  'POST /api/v1/knowledge/documents/:doc_id/versions/:version/replay': ['agent', 'knowledge'],
  'POST /api/v1/knowledge/search': ['read', 'knowledge'],
  'GET /api/v1/operations/series/conversations': ['agent'],
  'POST /api/v1/knowledge/quality/check': ['read', 'knowledge'],
  'POST /api/v1/knowledge/canary/compare': ['read', 'knowledge'],
}

/** Null: the table does not know the route, and then a key needs `admin`. */
export function scopesOf(method: string, path: string): readonly Scope[] | null {
  const special = BY_ROUTE[`${method} ${path}`]
  if (special) return special
  const group = BY_GROUP[/^\/api\/v1\/([^/]+)/.exec(path)?.[1] ?? '']
  if (!group) return null
  return method === 'GET' || method === 'HEAD' ? group.reads : group.writes
}

/** Groups that the contract leaves without a check, beside liveness. */
const OPEN_GROUP = /^\/api\/v1\/(?:performance|observability|monitor|operations)\//

/**
 * Writes its scopes into each route's configuration; call it before the first one is registered.
 *
 * @param areGroupsOpen otherwise the groups that the contract leaves open ask for a key like all others
 */
export function nameScopes(app: FastifyInstance, areGroupsOpen: boolean): void {
  app.addHook('onRoute', (route) => {
    const [method = ''] = [route.method].flat()
    const isClosed = !areGroupsOpen && OPEN_GROUP.test(route.url)
    const scopes = scopesOf(method, route.url) ?? ['admin']
    route.config = { ...route.config, scopes, ...(isClosed && { auth: 'key' as const }) }
  })
}
