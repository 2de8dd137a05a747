export { buildCard, type CardInput, type EscalationCard } from './card.ts'
export type { CardMessage } from './conversation.ts'
export { highestPriority, PRIORITIES, type Priority } from './priority.ts'
export { decideEscalation, type EscalationDecision, type EscalationThresholds } from './triggers.ts'
