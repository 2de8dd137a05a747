export { mcpRoutes } from './routes.ts'
export { createMcpServer } from './server.ts'
export { createTools, type ToolOptions } from './tools.ts'
