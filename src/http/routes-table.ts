import type { FastifyInstance } from 'fastify'

/** Every registered path with its methods, to tell an unmatched request which methods its path knows. */
export type RouteTable = ReturnType<typeof recordRoutes>

interface KnownPath {
  expression: RegExp
  methods: Set<string>
}

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Watches the registration of routes; call it before the first one. The router itself cannot be asked: it looks up
 * patterns, not paths, and refuses some paths with an assertion.
 */
export function recordRoutes(app: FastifyInstance) {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { expression: expressionOf(url), methods: new Set<string>() }
    for (const name of [method].flat()) known.methods.add(name)
    paths.set(url, known)
  })
  return {
    /** Methods that the path of `url` answers, in the order in which HTTP lists them; empty: no such path. */
    methodsOf(url: string): string[] {
      const path = decoded(url.split('?', 1)[0] ?? '')
      const matching = [...paths.values()].filter(({ expression }) => expression.test(path))
      const methods = new Set(matching.flatMap((known) => [...known.methods]))
      // The root of a prefix is registered twice, with and without a slash, and only its HEAD is told of both.
      if (methods.has('HEAD')) methods.add('GET')
      return ORDER.filter((method) => methods.has(method))
    },
  }
}

/** `/documents/:doc_id` matches one segment there, `/static/*` any rest. */
function expressionOf(pattern: string): RegExp {
  const source = pattern.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+'
    if (part === '*') return '.*'
    return part.replace(/[.*+()[\]{}^$|?\\]/g, '\\$&')
  })
  return new RegExp(`^${source.join('/')}$`)
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
