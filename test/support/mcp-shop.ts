import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

const orders: Record<string, unknown> = {
  W1: {
    number: 'W1',
    owner: 'u1',
    state: 'SHIPPED',
    lines: [{ title: 'Lamp', unit: 47.84 }],
    sum: 47.84,
    parcels: ['357962501027'],
  },
}

/** A shop as a Model Context Protocol server with the tools `get_order` and `crash`. */
export function createMcpShop(): McpServer {
  const server = new McpServer({ name: 'shop', version: '1.0.0' })
  const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] })
  server.registerTool('get_order', { description: 'One order', inputSchema: undefined }, () =>
    text({ order: orders.W1 }),
  )
  server.registerTool('no_order', { description: 'No order' }, () => ({
    isError: true,
    content: [{ type: 'text', text: 'Order not found' }],
  }))
  server.registerTool('crash', { description: 'Ends the server' }, () => process.exit(1))
  return server
}

if (process.argv[1] === import.meta.filename) await createMcpShop().connect(new StdioServerTransport())
