export { agentAssistRoutes } from './routes.ts'
export { createAgentAssist } from './service.ts'
