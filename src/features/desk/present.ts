import { toSnakeCase } from '../../kernel/snake-case.ts'
import { maskText } from '../../privacy/index.ts'
import type { Priority } from '../handoff/index.ts'
import { NOT_HANDED_OVER } from '../sessions/index.ts'
import type { FoundRow } from './service.ts'
import type { DeskRow } from './types.ts'

/** Minutes in which a customer should be answered, by priority. */
export type ResponseTargets = Partial<Record<Priority, number>>

const LAST_CHARACTERS = 200
const BEFORE_MATCH = 60

/** A conversation as a line of a list. Texts are masked before they are cut: half a number would no longer look like one. */
/** When the assistant has a session again that has waited since a moment; null: it waits until a person comes. */
export type ReturnsAt = (waitingSince: Date) => Date | null

export interface PresentedAt {
  now: number
  targets: ResponseTargets
  returnsAt: ReturnsAt
}

export function presentRow(row: DeskRow, { now, targets, returnsAt }: PresentedAt) {
  const { last, waitingSince, agentStatus, priority, updatedKey: _, ...rest } = row
  const waited = waitingSince && Math.max(0, Math.floor((now - waitingSince.getTime()) / 1_000))
  return {
    ...toSnakeCase({ ...rest, waitingSince }),
    agent_status: agentStatus ?? NOT_HANDED_OVER,
    priority: priority ?? 'low',
    waiting_seconds: waited,
    returns_at: (agentStatus === 'pending' && waitingSince && returnsAt(waitingSince)?.toISOString()) || null,
    overdue: waited !== null && waited > (targets[priority ?? 'low'] ?? Number.POSITIVE_INFINITY) * 60,
    last_message: last && {
      message_id: last.messageId,
      role: last.role,
      content: cut(shown(last.role, last.content), 0),
      timestamp: last.createdAt.toISOString(),
      ...(last.details.agentId !== undefined && { agent_id: last.details.agentId }),
    },
  }
}

export function presentFound({ match, matchSeq: _, ...row }: FoundRow, at: PresentedAt, words: readonly string[]) {
  return {
    ...presentRow(row, at),
    match: match && {
      message_id: match.messageId,
      role: match.role,
      excerpt: around(shown(match.role, match.content), words),
      timestamp: match.createdAt.toISOString(),
    },
  }
}

/** A person may read what a person wrote. */
function shown(role: string, content: string): string {
  return (role === 'agent' ? content : maskText(content)).replace(/\s+/g, ' ').trim()
}

/** The part of a text around the first place where one of the words begins. */
function around(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0)
  return cut(text, places.length === 0 ? 0 : Math.max(0, Math.min(...places) - BEFORE_MATCH))
}

function cut(text: string, from: number): string {
  const characters = [...text.slice(from)]
  const isCut = characters.length > LAST_CHARACTERS
  return `${from > 0 ? '…' : ''}${characters.slice(0, LAST_CHARACTERS).join('')}${isCut ? '…' : ''}`
}
