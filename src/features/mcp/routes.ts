import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { errors } from '../../http/schemas.ts'
import { scopesOf } from '../../http/scopes.ts'
import type { App } from '../../http/server.ts'
import { clientSignal } from '../../http/sse.ts'
import type { McpServer } from './server.ts'
import type { Tool } from './tools.ts'

/** The Model Context Protocol, for assistants elsewhere. */
export function mcpRoutes(app: App, { mcp }: { mcp: McpServer }): void {
  app.post(
    '/mcp',
    {
      config: { auth: 'anybody', takesBearer: true, isChange: false },
      schema: {
        summary: 'The Model Context Protocol, over streamable HTTP',
        description:
          'Tools for assistants elsewhere: search the knowledge base, ask, read a conversation, hand over, list gaps. A key is sent as ' +
          '`X-API-Key` or `Authorization: Bearer`, and the tools are those that its scopes allow.',
        tags: ['mcp'],
        body: Type.Unsafe<unknown>({ description: 'A JSON-RPC 2.0 message', type: ['object', 'array'] }),
        response: {
          200: Type.Unsafe<unknown>({ description: 'A JSON-RPC 2.0 message', type: ['object', 'array'] }),
          400: Type.Unsafe<unknown>({ description: 'A JSON-RPC 2.0 error: no message of it', type: 'object' }),
          406: Type.Unsafe<unknown>({
            description: 'A JSON-RPC 2.0 error: `Accept` must name `application/json` and `text/event-stream`',
            type: 'object',
          }),
          ...errors(401, 403, 413, 415, 422, 429),
        },
      },
    },
    async (request, reply) => {
      const { scopes } = request.caller
      const mayUse = ({ endpoint: [method, path] }: Tool): boolean =>
        (scopesOf(method, path) ?? ['admin']).some((scope) => scopes.has(scope))
      const signal = clientSignal(reply as FastifyReply)
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      const { raw, body } = request
      await mcp.handle({ request: raw, response: reply.raw, body, scopes, signal, mayUse })
      return reply
    },
  )
}
