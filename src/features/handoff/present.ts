import { toSnakeCase } from '../../kernel/snake-case.ts'
import { maskText } from '../../privacy/index.ts'
import type { SearchHit } from '../knowledge/index.ts'
import { type HandoffEvent, NOT_HANDED_OVER, presentMessage, type StoredMessage } from '../sessions/index.ts'
import type { DeliveryState, HandoffSession } from './types.ts'
import type { SessionDetail } from './workspace.ts'
import type { DeskEvent } from './workspace-feed.ts'

/** From sessions and messages to the bodies of the contract. People see what customers wrote with personal data masked. */

export function presentSummary(session: HandoffSession) {
  const { sessionId, userId, channel, turnCount, createdAt, escalatedAt } = session
  const agentStatus = session.agentStatus ?? NOT_HANDED_OVER
  const priority = session.priority ?? 'low'
  return toSnakeCase({ sessionId, userId, channel, agentStatus, priority, turnCount, createdAt, escalatedAt })
}

export function presentDetail({ session, history, deliveries }: SessionDetail) {
  const { agentId, intent, emotionScore, failedAttempts, updatedAt, acceptedAt, resolvedAt, note, card } = session
  return {
    ...presentSummary(session),
    ...toSnakeCase({ agentId, intent, emotionScore, failedAttempts, updatedAt, acceptedAt, resolvedAt, note }),
    escalation_card: card,
    contact: presentContact(session.contact),
    history: history.map((message) => presentSaid(message, deliveries.get(message.messageId))),
  }
}

function presentContact(contact: HandoffSession['contact']) {
  if (!contact) return null
  const { name = null, email = null, phone = null, verified = false } = contact
  return { name, email, phone, verified }
}

export function presentTransition({ sessionId, agentStatus, agentId, updatedAt, note }: HandoffSession) {
  return toSnakeCase({ sessionId, agentStatus: agentStatus ?? NOT_HANDED_OVER, agentId, updatedAt, note })
}

function presentSaid(message: StoredMessage, delivery?: DeliveryState) {
  const { role, details } = message
  return {
    // A person may read what a person wrote.
    ...presentMessage(message, ({ source, score }) => ({ source, score }), role === 'agent' ? undefined : maskText),
    ...(details.guest && { guest: true }),
    ...(details.agentId !== undefined && { agent_id: details.agentId }),
    ...(details.event !== undefined && { event: details.event as HandoffEvent }),
    ...(details.from !== undefined && { from_agent_id: details.from }),
    ...(details.note !== undefined && { note: details.note }),
    ...(delivery && { delivery }),
  }
}

/** Metadata keeps the names that the document gave. */
export function presentHit({
  metadata,
  content,
  score,
  source,
  docId,
  version,
  question,
  headingPath,
  page,
  url,
  audience,
}: SearchHit) {
  return {
    // Not to be quoted to a customer.
    ...(audience && { audience }),
    ...toSnakeCase({ content, score, source, docId, version: `v${version}`, question, headingPath, page }),
    metadata: url ? { ...metadata, url } : metadata,
  }
}

const EVENT_NAMES: Record<HandoffEvent, string> = {
  handoff: 'session_pending',
  accepted: 'session_assigned',
  resolved: 'session_resolved',
  returned: 'session_returned',
  cancelled: 'session_cancelled',
  transferred: 'session_assigned',
  released: 'session_pending',
  handed_back: 'session_returned',
}

/** As the workspace's event stream tells it; the id resumes the stream, and what matters for a moment has none. */
export function presentEvent(told: DeskEvent) {
  if ('aside' in told) return { event: told.aside, data: told.data }
  const { session } = told
  const about = { ...presentSummary(session), agent_id: session.agentId }
  if ('activity' in told) return { event: 'activity', data: { ...about, message: presentSaid(told.activity) } }
  if (!('message' in told)) return { event: told.event, data: { ...about, ...told.data } }
  const { message, isLost } = told
  const change = EVENT_NAMES[message.details.event as HandoffEvent]
  // Without an id: it would take the place to resume at back to that of the message.
  if (isLost) return { event: 'delivery_failed', data: { ...about, message: presentSaid(message) } }
  return {
    event: message.role === 'system' && change ? change : 'message',
    data: { ...about, ...(session.card && { reason: session.card.reason }), message: presentSaid(message) },
    ...(message.deskSeq !== null && { id: String(message.deskSeq) }),
  }
}
