import type { Database } from '../../../platform/postgres/index.ts'
import { maskText } from '../../../privacy/index.ts'
import { type AgentStatus, messagesAfter, NOT_HANDED_OVER, type SessionMessage } from '../../sessions/index.ts'
import type { DeskFilter } from '../types.ts'
import { CSV_HEAD, csvLine, type ExportedLine, jsonLine } from './lines.ts'
import { listForExport } from './queries.ts'

export interface ExportedSession {
  sessionId: string
  userId: string
  channel: string
  agentStatus: AgentStatus | null
  agentId: string | null
  /** By name. */
  labels: string[]
}

export interface ExportRequest {
  filter: DeskFilter
  format: 'csv' | 'jsonl'
  /** Personal values, whoever wrote them. */
  isMasked: boolean
}

export type Exporting = ReturnType<typeof createExporting>

const SESSIONS = 50
const MESSAGES = 500

/** Conversations as a file, a line for every message, in pieces: a page is read when the one before was taken. */
export function createExporting({ db }: { db: Database }) {
  return async function* ({ filter, format, isMasked }: ExportRequest): AsyncGenerator<string> {
    const write = format === 'csv' ? csvLine : jsonLine
    if (format === 'csv') yield CSV_HEAD
    for await (const session of sessionsOf(db, filter)) {
      for await (const messages of messagesOf(db, session.sessionId)) {
        yield messages.map((message) => write(lineOf(session, message, isMasked))).join('')
      }
    }
  }
}

async function* sessionsOf(db: Database, filter: DeskFilter): AsyncGenerator<ExportedSession> {
  for (let after = ''; ; ) {
    const page = await listForExport(db.executor, { filter, after, limit: SESSIONS })
    yield* page
    if (page.length < SESSIONS) return
    after = page.at(-1)?.sessionId ?? ''
  }
}

async function* messagesOf(db: Database, sessionId: string): AsyncGenerator<SessionMessage[]> {
  for (let after = 0; ; ) {
    const page = await messagesAfter(db.executor, { sessionId, readable: null }, after, MESSAGES)
    if (page.length > 0) yield page
    if (page.length < MESSAGES) return
    after = page.at(-1)?.seq ?? 0
  }
}

function lineOf(session: ExportedSession, message: SessionMessage, isMasked: boolean): ExportedLine {
  const { sessionId, userId, channel, agentStatus, agentId, labels } = session
  return {
    session_id: sessionId,
    user_id: userId,
    channel,
    agent_status: agentStatus ?? NOT_HANDED_OVER,
    agent_id: agentId,
    labels,
    message_id: message.messageId,
    timestamp: message.createdAt.toISOString(),
    role: message.role,
    author: message.role === 'agent' ? (message.details.agentId ?? null) : null,
    content: isMasked ? maskText(message.content) : message.content,
  }
}
