export { agentAssistRoutes } from './routes.ts'
export { type AgentAssist, createAgentAssist } from './service.ts'
