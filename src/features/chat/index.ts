export { chatRoutes } from './routes.ts'
export { type Chat, createChat } from './service.ts'
export type { ChatEvent, ChatRequest, TurnOutcome } from './types.ts'
export {
  createUnderstand,
  loadIntentExamples,
  rewriteFollowUp,
  trainIntentClassifier,
} from './understanding/understanding.ts'
