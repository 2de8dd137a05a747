import { decodeCursor, encodeCursor } from '../../http/cursor.ts'
import { readId } from '../../http/ids.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { SessionParams } from '../sessions/index.ts'
import { filterOf } from './filter-schemas.ts'
import { presentFound, presentRow, type ResponseTargets, type ReturnsAt } from './present.ts'
import { ListBody, ListQuery, ReadBody, ReadResult, UnreadBody } from './schemas.ts'
import type { Desk, SearchCursor } from './service.ts'
import type { DeskCursor } from './types.ts'

const tags = ['agent-assist']
const SESSIONS = '/api/v1/agent/sessions'

export interface DeskServices {
  desk: Desk
  clock: { now(): number }
  targets(): ResponseTargets
  returnsAt: ReturnsAt
}

export function deskRoutes(app: App, services: DeskServices): void {
  listRoute(app, services)
  readRoutes(app, services)
}

function listRoute(app: App, { desk, clock, targets, returnsAt }: DeskServices): void {
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
      const asked = {
        filter: { ...filterOf(query), ...(query.unread && { isUnread: true }) },
        reader,
        limit: query.limit,
      }
      const at = { now: clock.now(), targets: targets(), returnsAt }
      const counts = query.counts ? { counts: await desk.counts(reader) } : {}
      const text = query.q?.trim() ?? ''
      if (text === '') {
        const rows = await desk.list(asked, listCursor(query.before))
        const last = rows.length === query.limit ? rows.at(-1) : undefined
        const next = last ? encodeCursor([last.updatedKey, last.sessionId]) : null
        return { sessions: rows.map((row) => presentRow(row, at)), next_before: next, ...counts }
      }
      const { rows, next, words } = await desk.search(asked, text, searchCursor(query.before))
      const sessions = rows.map((row) => presentFound(row, at, words))
      return { sessions, next_before: next && encodeSearchCursor(next), ...counts }
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

const SEQ = /^seq:(\d{1,15})$/

function encodeSearchCursor(cursor: SearchCursor): string {
  if (!('seq' in cursor)) return encodeCursor([cursor.updatedAt, cursor.sessionId])
  return Buffer.from(`seq:${cursor.seq}`).toString('base64url')
}

/** Throws bad_request for a text that is no cursor of ours. */
function searchCursor(text: string | undefined): SearchCursor | null {
  const [, seq] = SEQ.exec(Buffer.from(text ?? '', 'base64url').toString()) ?? []
  return seq === undefined ? listCursor(text) : { seq: Number(seq) }
}

function listCursor(text: string | undefined): DeskCursor | null {
  if (text === undefined) return null
  const [updatedAt, sessionId] = decodeCursor(text)
  return { updatedAt, sessionId }
}
