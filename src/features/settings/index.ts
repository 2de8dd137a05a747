export { settingsRoutes } from './routes.ts'
export { type Assistant, createAssistant } from './service.ts'
export { type AssistantSettings, type EffectiveSetting, PLAIN_ASSISTANT } from './types.ts'
