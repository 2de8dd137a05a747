import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { AppError } from '../../../kernel/errors.ts'
import type { Outbound } from '../outbound.ts'
import type { McpConnectorConfig, McpOperation } from './config.ts'
import type { CallGuard, RemoteAnswer, RemoteSystem } from './remote.ts'
import { fillJson } from './template.ts'

type ToolResult = Awaited<ReturnType<Client['callTool']>>

/** The protocol's libraries are megabytes that a shop without such a server need not load. */
async function loadSdk() {
  const [{ Client }, stdio, http, { ErrorCode, McpError }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  return { Client, ...stdio, ...http, ErrorCode, McpError }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>

function textOf({ content }: ToolResult): string {
  const parts: unknown[] = Array.isArray(content) ? content : []
  const isText = (part: unknown): part is { text: string } =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
  return parts
    .filter(isText)
    .map((part) => part.text)
    .join('\n')
}

function answerOf(name: string, operation: McpOperation, result: ToolResult): RemoteAnswer {
  const text = textOf(result)
  const { not_found_text } = operation
  // A server reports an unknown tool or wrong arguments in this form, and "not found" in it is not about an order.
  const isProtocolError = result.isError === true && /^MCP error -\d+/.test(text)
  if (!isProtocolError && not_found_text !== undefined && text.toLowerCase().includes(not_found_text.toLowerCase()))
    return null
  if (result.isError)
    throw new AppError('unavailable', 'connector_failed', `${name}: ${operation.tool} reports an error`)
  if (result.structuredContent !== undefined) return { value: result.structuredContent }
  if (text.trim() === '') return { value: null }
  try {
    return { value: JSON.parse(text) }
  } catch (cause) {
    throw new AppError('unavailable', 'connector_bad_response', `${name}: ${operation.tool} answered without JSON`, {
      cause,
    })
  }
}

function transportFor({ server }: McpConnectorConfig, outbound: Outbound, sdk: Sdk): Transport {
  if (server.command !== undefined) {
    const env = { ...sdk.getDefaultEnvironment(), ...server.env }
    return new sdk.StdioClientTransport({ command: server.command, args: server.args ?? [], env, stderr: 'ignore' })
  }
  const guarded = (url: string | URL, init?: RequestInit): Promise<Response> => {
    // A standing stream would outlive every time limit; the protocol lets a client do without it.
    if (init?.method === 'GET') return Promise.resolve(new Response(null, { status: 405 }))
    return outbound.fetch(url, init as Parameters<Outbound['fetch']>[1])
  }
  const requestInit = { headers: server.headers ?? {} }
  // The SDK's own class does not satisfy its interface under exactOptionalPropertyTypes.
  return new sdk.StreamableHTTPClientTransport(new URL(server.url ?? ''), { fetch: guarded, requestInit }) as Transport
}

/** False for an answer that merely refuses the request; the connection still works. */
function isBroken(error: unknown, { ErrorCode, McpError }: Sdk): boolean {
  return !(error instanceof McpError) || [ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout].includes(error.code)
}

/**
 * A Model Context Protocol server (streamable HTTP or a child process), whose tools are called by name. The connection
 * is opened with the first call and again after it broke.
 */
export function createMcpSystem(config: McpConnectorConfig, outbound: Outbound, breaker: CallGuard): RemoteSystem {
  const { name, operations, timeout_ms: timeoutMs = 10_000 } = config
  let connection: Promise<Client> | null = null

  async function connect(): Promise<Client> {
    const sdk = await loadSdk()
    const client = new sdk.Client({ name: 'frontdesk', version: '1.0.0' })
    client.onclose = () => {
      connection = null
    }
    try {
      await client.connect(transportFor(config, outbound, sdk), { timeout: timeoutMs })
      return client
    } catch (error) {
      connection = null
      await client.close().catch(() => undefined)
      throw error
    }
  }

  async function disconnect(): Promise<void> {
    const open = connection
    connection = null
    const client = await open?.catch(() => null)
    await client?.close().catch(() => undefined)
  }

  async function callTool(operation: McpOperation, values: Record<string, unknown>): Promise<ToolResult> {
    try {
      connection ??= connect()
      const client = await connection
      return await client.callTool({ name: operation.tool, arguments: values }, undefined, { timeout: timeoutMs })
    } catch (cause) {
      if (isBroken(cause, await loadSdk())) await disconnect()
      throw new AppError('unavailable', 'connector_failed', `${name}: ${operation.tool} cannot be called`, { cause })
    }
  }

  return {
    name,
    operations: operations as RemoteSystem['operations'],
    call: async (operationName, values) => {
      const operation = operations[operationName]
      if (!operation) throw new AppError('unavailable', 'connector_unsupported', `${name} has no ${operationName}`)
      const filled = fillJson(operation.arguments ?? {}, values) as Record<string, unknown>
      return answerOf(name, operation, await breaker.run(() => callTool(operation, filled)))
    },
    close: disconnect,
  }
}
