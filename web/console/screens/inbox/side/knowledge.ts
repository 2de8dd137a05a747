import { recommendKnowledge } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import type { Conversation } from '../conversation/state.ts'

/** Below it a passage is about something else. */
const USEFUL_SCORE = 0.2

/** The question that a conversation is at: the latest of the customer, or what they called a person for. */
export function latestQuestion({ history, escalation_card: card }: Conversation): string {
  const latest = history.findLast(({ role }) => role === 'user')
  // "I want a person" is nothing that the knowledge base could answer.
  if (card && (!latest || latest.timestamp <= card.created_at)) return card.customer_request
  return latest?.content ?? ''
}

/** A reply made of what the knowledge base says to the latest question; null: it says nothing. */
export async function draftFromKnowledge(
  conversation: Conversation,
): Promise<{ text: string; sources: readonly string[] } | null> {
  const query = latestQuestion(conversation)
  if (!query) return null
  const path = { session_id: conversation.session_id }
  const { chunks } = await recommendKnowledge(desk, { path, body: { query, top_k: 2 } })
  const [best, next] = chunks
  if (!best || best.score < USEFUL_SCORE) return null
  const isBoth = next !== undefined && next.doc_id === best.doc_id && next.score > best.score / 2
  const used = isBoth ? [best, next] : [best]
  return {
    text: used.map(({ content }) => content.trim()).join('\n\n'),
    sources: [...new Set(used.map(({ source, heading_path: path }) => [source, ...path].join(' › ')))],
  }
}
