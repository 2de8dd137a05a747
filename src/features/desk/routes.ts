import type { Static } from 'typebox'
import { readId } from '../../http/ids.ts'
import { readPeriod } from '../../http/period.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { CHANNELS, SessionParams } from '../sessions/index.ts'
import { presentFound, presentRow } from './present.ts'
import { ListBody, ListQuery, ReadBody, ReadResult, UnreadBody } from './schemas.ts'
import type { Desk, SearchCursor } from './service.ts'
import type { DeskCursor, DeskFilter } from './types.ts'

const tags = ['agent-assist']
const SESSIONS = '/api/v1/agent/sessions'

export interface DeskServices {
  desk: Desk
  clock: { now(): number }
}

export function deskRoutes(app: App, services: DeskServices): void {
  listRoute(app, services)
  readRoutes(app, services)
}

function listRoute(app: App, { desk, clock }: DeskServices): void {
  app.get(
    SESSIONS,
    {
      schema: {
        summary: 'All conversations, also those of the assistant, or those in which something was said',
        description:
          'The latest activity first. With `q` those in which one message holds all the words, the latest such message ' +
          'first, before them those of which `q` is the id, or the id of their customer. Pages go on by `next_before`.',
        tags,
        querystring: ListQuery,
        response: { 200: ListBody, ...errors(400, 401, 403, 422) },
      },
    },
    async ({ query, caller }) => {
      const reader = caller.person?.name ?? readId('reader', query.reader)
      const asked = { filter: filterOf(query), reader, limit: query.limit }
      const counts = query.counts ? { counts: await desk.counts(reader) } : {}
      const text = query.q?.trim() ?? ''
      if (text === '') {
        const rows = await desk.list(asked, listCursor(query.before))
        const last = rows.length === query.limit ? rows.at(-1) : undefined
        const next = last ? encodeCursor({ updatedAt: last.updatedKey, sessionId: last.sessionId }) : null
        return { sessions: rows.map((row) => presentRow(row, clock.now())), next_before: next, ...counts }
      }
      const { rows, next, words } = await desk.search(asked, text, searchCursor(query.before))
      const sessions = rows.map((row) => presentFound(row, clock.now(), words))
      return { sessions, next_before: next && encodeCursor(next), ...counts }
    },
  )
}

function readRoutes(app: App, { desk }: DeskServices): void {
  app.post(
    `${SESSIONS}/:session_id/read`,
    {
      config: { isChange: false },
      schema: {
        summary: 'Mark a conversation as read, up to a message or to its end',
        tags,
        params: SessionParams,
        body: ReadBody,
        response: { 200: ReadResult, ...errors(401, 404, 422) },
      },
    },
    async ({ params, body, caller }) => {
      const sessionId = params.session_id.trim()
      await desk.markRead(sessionId, caller.person?.name ?? readId('agent_id', body.agent_id), body.message_id ?? null)
      return { session_id: sessionId, read: true }
    },
  )

  app.post(
    `${SESSIONS}/:session_id/unread`,
    {
      config: { isChange: false },
      schema: {
        summary: 'Mark a conversation as unread',
        tags,
        params: SessionParams,
        body: UnreadBody,
        response: { 200: ReadResult, ...errors(401, 422) },
      },
    },
    async ({ params, body, caller }) => {
      const sessionId = params.session_id.trim()
      await desk.markUnread(sessionId, caller.person?.name ?? readId('agent_id', body.agent_id))
      return { session_id: sessionId, read: false }
    },
  )
}

function filterOf(query: Static<typeof ListQuery>): DeskFilter {
  const { status, agent_id: agentId, channel, user_id: userId, label, unread } = query
  return {
    ...(status !== undefined && { status }),
    ...(agentId !== undefined && { agentId: readId('agent_id', agentId) }),
    ...(channel !== undefined && { channel }),
    ...(userId !== undefined && { user: { id: readId('user_id', userId), channels: CHANNELS } }),
    ...(label !== undefined && { labelId: label.trim() }),
    ...(unread && { isUnread: true }),
    ...readPeriod(query),
  }
}

function encodeCursor(cursor: SearchCursor): string {
  const parts = 'seq' in cursor ? [String(cursor.seq)] : [cursor.updatedAt, cursor.sessionId]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

const MICROSECONDS = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?[+-]\d{2}(?::\d{2})?$/

/** Throws bad_request for a text that is no cursor of ours. */
function searchCursor(text: string | undefined): SearchCursor | null {
  if (text === undefined) return null
  const [first = '', second, ...rest] = partsOf(text)
  if (rest.length === 0 && second === undefined && /^\d{1,15}$/.test(first)) return { seq: Number(first) }
  if (rest.length === 0 && second !== undefined && MICROSECONDS.test(first))
    return { updatedAt: first, sessionId: second }
  throw notOurs()
}

/** Throws bad_request for a text that is no cursor of a list. */
function listCursor(text: string | undefined): DeskCursor | null {
  const cursor = searchCursor(text)
  if (cursor && 'seq' in cursor) throw notOurs()
  return cursor
}

function partsOf(text: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : []
  } catch {
    return []
  }
}

function notOurs(): AppError {
  return new AppError('bad_request', 'cursor', 'before: must be next_before of the page before, of the same search')
}
