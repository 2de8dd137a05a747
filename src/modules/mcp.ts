import { VERSION } from '../about.ts'
import { createMcpServer, createTools, mcpRoutes, type ToolOptions } from '../features/mcp/index.ts'
import type { App } from '../http/server.ts'
import type { Ground } from './module.ts'

/** Tools for assistants elsewhere. */
export function openMcp({ config, log }: Ground, options: ToolOptions) {
  const mcp = createMcpServer({ name: config.APP_NAME, version: VERSION, tools: createTools(options), log })
  return { routes: (app: App) => mcpRoutes(app, { mcp }), close: () => {} }
}
