import type { IncomingMessage, ServerResponse } from 'node:http'
import { Value } from 'typebox/value'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Tool, ToolContext } from './tools.ts'

export interface McpOptions {
  name: string
  version: string
  tools: readonly Tool[]
  log: Log
}

export type McpServer = ReturnType<typeof createMcpServer>

/** One request of a client, with what its key may do. */
export interface McpCall extends ToolContext {
  request: IncomingMessage
  response: ServerResponse
  body: unknown
  /** Tools that the caller may use; others are neither listed nor found. */
  mayUse(tool: Tool): boolean
}

const INSTRUCTIONS =
  'Knowledge and conversations of a company’s customer service. Search before you answer, and name the source. Where the ' +
  'knowledge base has no answer, or the customer wants a person, hand over.'

/**
 * The Model Context Protocol over streamable HTTP, by the official SDK: every request stands alone, so that any replica may
 * answer it. The SDK is loaded with the first request: most never get one.
 * https://modelcontextprotocol.io/specification
 */
export function createMcpServer({ name, version, tools, log }: McpOptions) {
  let loading: ReturnType<typeof loadSdk> | undefined
  return {
    async handle(call: McpCall): Promise<void> {
      loading ??= loadSdk()
      const { Server, StreamableHTTPServerTransport, ListToolsRequestSchema, CallToolRequestSchema } = await loading
      const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
      const usable = tools.filter(call.mayUse)
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: usable.map(describe) }))
      server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
        callTool(usable, params, { scopes: call.scopes, signal: AbortSignal.any([signal, call.signal]) }, log),
      )
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
      call.response.once('close', () => void server.close().catch(() => {}))
      // The SDK's own types say `sessionId?: string` where its interface says `sessionId: string | undefined`.
      await server.connect(transport as unknown as Parameters<typeof server.connect>[0])
      await transport.handleRequest(call.request, call.response, call.body)
    },
  }
}

async function loadSdk() {
  const [{ Server }, { StreamableHTTPServerTransport }, { ListToolsRequestSchema, CallToolRequestSchema }] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
  return { Server, StreamableHTTPServerTransport, ListToolsRequestSchema, CallToolRequestSchema }
}

type JsonObject = { type: 'object'; [key: string]: unknown }

function describe({ name, title, description, input, output, isReadOnly }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: input as unknown as JsonObject,
    outputSchema: output as unknown as JsonObject,
    annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  }
}

/** Failures are results that the assistant reads, so that it can do better. */
async function callTool(
  tools: readonly Tool[],
  { name, arguments: given = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  context: ToolContext,
  log: McpOptions['log'],
) {
  const tool = tools.find((each) => each.name === name)
  if (!tool) return failed(`There is no tool ${name.slice(0, 100)}, or this key may not use it`)
  const filled = Value.Default(tool.input, structuredClone(given)) as Record<string, unknown>
  const [wrong] = Value.Errors(tool.input, filled)
  if (wrong) return failed(`${wrong.instancePath.slice(1).replaceAll('/', '.') || 'arguments'}: ${wrong.message}`)
  try {
    const result = await tool.run(filled, context)
    return { content: [{ type: 'text' as const, text: tool.text(result) }], structuredContent: result }
  } catch (error) {
    if (error instanceof AppError && error.kind !== 'internal') return failed(error.message)
    log.warn({ err: error, tool: name }, 'A tool for assistants failed')
    return failed('Internal error')
  }
}

function failed(text: string) {
  return { isError: true, content: [{ type: 'text' as const, text }] }
}
