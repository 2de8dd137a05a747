import { noteChange } from '../../../http/changes.ts'
import { decodeCursor, encodeCursor } from '../../../http/cursor.ts'
import { readId } from '../../../http/ids.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { AppError } from '../../../kernel/errors.ts'
import { SessionParams } from '../../sessions/index.ts'
import { actorOf } from '../actor.ts'
import { presentNote } from './present.ts'
import { NewNoteBody, NoteBody, NoteChangeBody, NoteParams, NotesBody, NotesQuery, RemovedBody } from './schemas.ts'
import type { Notes } from './service.ts'
import type { NoteCursor } from './types.ts'

const tags = ['agent-assist']
const NOTES = '/api/v1/agent/sessions/:session_id/notes'

export function noteRoutes(app: App, { notes }: { notes: Notes }): void {
  listRoutes(app, notes)
  oneRoutes(app, notes)
}

function listRoutes(app: App, notes: Notes): void {
  app.get(
    NOTES,
    {
      schema: {
        summary: 'Notes on a conversation, the newest first',
        description: 'For people at the desk alone: neither customers nor models ever see them.',
        tags,
        params: SessionParams,
        querystring: NotesQuery,
        response: { 200: NotesBody, ...errors(400, 401, 403, 404, 422) },
      },
    },
    async ({ params, query: { before, limit } }) => {
      const found = await notes.list(params.session_id.trim(), cursorOf(before), limit)
      const last = found.length === limit ? found.at(-1) : undefined
      return {
        notes: found.map(presentNote),
        next_before: last ? encodeCursor([last.createdKey, last.noteId]) : null,
      }
    },
  )

  app.post(
    NOTES,
    {
      schema: {
        summary: 'Make a note on a conversation',
        description: 'Anybody at the desk may, whoever has the conversation. The event `note` tells the desk.',
        tags,
        params: SessionParams,
        body: NewNoteBody,
        response: { 201: NoteBody, ...errors(401, 403, 404, 422) },
      },
    },
    async (request, reply) => {
      const { params, body, caller } = request
      const author = caller.person?.name ?? readId('agent_id', body.agent_id)
      const note = await notes.add({ sessionId: params.session_id.trim(), author, content: contentOf(body) })
      noteChange(request, { after: presentNote(note) })
      return reply.status(201).send(presentNote(note))
    },
  )
}

function oneRoutes(app: App, notes: Notes): void {
  app.put(
    `${NOTES}/:note_id`,
    {
      schema: {
        summary: 'Change a note: its author, an admin or the key',
        tags,
        params: NoteParams,
        body: NoteChangeBody,
        response: { 200: NoteBody, ...errors(401, 403, 404, 422) },
      },
    },
    async (request) => {
      const { params, body, caller } = request
      const { before, after } = await notes.change(placeOf(params), contentOf(body), actorOf(caller))
      noteChange(request, { before: presentNote(before), after: presentNote(after) })
      return presentNote(after)
    },
  )

  app.delete(
    `${NOTES}/:note_id`,
    {
      schema: {
        summary: 'Remove a note: its author, an admin or the key',
        tags,
        params: NoteParams,
        response: { 200: RemovedBody, ...errors(401, 403, 404, 422) },
      },
    },
    async (request) => {
      const note = await notes.remove(placeOf(request.params), actorOf(request.caller))
      noteChange(request, { before: presentNote(note) })
      return { note_id: note.noteId, deleted: true }
    },
  )
}

function placeOf({ session_id, note_id }: { session_id: string; note_id: string }) {
  return { sessionId: session_id.trim(), noteId: note_id.trim() }
}

function contentOf({ content }: { content: string }): string {
  if (content.trim() === '') throw new AppError('invalid', 'validation', 'content: must not be blank')
  return content
}

function cursorOf(before: string | undefined): NoteCursor | null {
  if (before === undefined) return null
  const [createdAt, noteId] = decodeCursor(before)
  return { createdAt, noteId }
}
