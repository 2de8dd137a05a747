export { answerQuestion } from './answer-question.ts'
export { sessionOfCustomer } from './customer-sessions.ts'
export { type DryRun, type DryRunOptions, dryRun } from './dry-run.ts'
export { handoffRoutes } from './handoff-routes.ts'
export { createHandoff, type Handoff } from './handoff-service.ts'
export type { HandoffEvent, HandoffSession, SessionMessage } from './handoff-types.ts'
export { presentOutcome } from './present.ts'
export { chatRoutes } from './routes.ts'
export { type Chat, createChat } from './service.ts'
export type { Channel, ChatEvent, ChatRequest, Source, StoredMessage, TurnOutcome } from './types.ts'
export {
  createUnderstand,
  loadIntentExamples,
  rewriteFollowUp,
  trainIntentClassifier,
  type Understand,
} from './understanding/understanding.ts'
