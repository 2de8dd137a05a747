import type { BusinessResult } from '../../business/agent.ts'
import { maskText } from '../../business/masking/index.ts'
import type { HandoffEvent, HandoffSession, StoredMessage } from '../chat/index.ts'
import { presentSolution } from '../escalation/index.ts'
import type { DeliveryState } from '../gateway/index.ts'
import type { SearchHit } from '../knowledge/index.ts'
import type { SessionDetail } from './service.ts'
import type { WorkspaceEvent } from './workspace-feed.ts'

/** From sessions and messages to the bodies of the contract. People see what customers wrote with personal data masked. */

export { presentSolution }

/** Said of sessions that no person has anything to do with. */
const NOT_HANDED_OVER = 'none'

export function presentSummary(session: HandoffSession) {
  return {
    session_id: session.sessionId,
    user_id: session.userId,
    channel: session.channel as string,
    agent_status: session.agentStatus ?? NOT_HANDED_OVER,
    priority: session.priority ?? 'low',
    turn_count: session.turnCount,
    created_at: session.createdAt.toISOString(),
    escalated_at: session.escalatedAt?.toISOString() ?? null,
  }
}

export function presentDetail({ session, history, deliveries }: SessionDetail) {
  return {
    ...presentSummary(session),
    agent_id: session.agentId,
    intent: session.intent,
    emotion_score: session.emotionScore,
    failed_attempts: session.failedAttempts,
    escalation_card: session.card,
    history: history.map((message) => presentMessage(message, deliveries.get(message.messageId))),
    updated_at: session.updatedAt.toISOString(),
    accepted_at: session.acceptedAt?.toISOString() ?? null,
    resolved_at: session.resolvedAt?.toISOString() ?? null,
    note: session.note,
  }
}

export function presentTransition({ sessionId, agentStatus, agentId, updatedAt, note }: HandoffSession) {
  return {
    session_id: sessionId,
    agent_status: agentStatus ?? NOT_HANDED_OVER,
    agent_id: agentId,
    updated_at: updatedAt.toISOString(),
    note,
  }
}

function presentMessage(message: StoredMessage, delivery?: DeliveryState) {
  const { messageId, role, content, createdAt, intent, sources, details } = message
  return {
    message_id: messageId,
    role: role as string,
    // What a person wrote, the person may read.
    content: role === 'agent' ? content : maskText(content),
    timestamp: createdAt.toISOString(),
    ...(intent === null ? {} : { intent }),
    ...(sources === null ? {} : { sources: sources.map(({ source, score }) => ({ source, score })) }),
    ...(details.interrupted ? { interrupted: true } : {}),
    ...(details.guest ? { guest: true } : {}),
    ...(details.agentId === undefined ? {} : { agent_id: details.agentId }),
    ...(details.event === undefined ? {} : { event: details.event }),
    ...(delivery === undefined ? {} : { delivery: { state: delivery.state as string, error: delivery.error } }),
  }
}

export function presentSent({ messageId, role, createdAt }: StoredMessage) {
  return { message_id: messageId, timestamp: createdAt.toISOString(), role: role as string }
}

export function presentHit(hit: SearchHit) {
  return {
    content: hit.content,
    score: hit.score,
    source: hit.source,
    doc_id: hit.docId,
    version: `v${hit.version}`,
    question: hit.question,
    heading_path: hit.headingPath,
    page: hit.page,
    metadata: hit.metadata,
  }
}

export function presentLookUp({ reply, data, error, needConfirmation, scene, maskedFields }: BusinessResult) {
  return {
    result: { reply, data, error, need_confirmation: needConfirmation, scene: scene as string },
    masked_fields: maskedFields,
  }
}

const EVENT_NAMES: Record<HandoffEvent, string> = {
  handoff: 'session_pending',
  accepted: 'session_assigned',
  resolved: 'session_resolved',
  returned: 'session_returned',
  cancelled: 'session_cancelled',
}

/** As the workspace's event stream tells it; the id resumes the stream. */
export function presentEvent({ message, session, isLost }: WorkspaceEvent) {
  const change = EVENT_NAMES[message.details.event as HandoffEvent]
  const about = { ...presentSummary(session), agent_id: session.agentId }
  // Without an id: it would take the place to resume at back to that of the message.
  if (isLost) return { event: 'delivery_failed', data: { ...about, message: presentMessage(message) } }
  return {
    event: message.role === 'system' && change ? change : 'message',
    data: { ...about, ...(session.card ? { reason: session.card.reason } : {}), message: presentMessage(message) },
    id: String(message.seq),
  }
}
