import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { parseJsonOrNothing } from '../../../kernel/json.ts'
import type { LiveEvents } from '../../../platform/live-events.ts'
import type { Database, Executor } from '../../../platform/postgres/index.ts'
import type { Actor, HandoffSession, Telling } from '../../handoff/index.ts'
import { mentionsOf } from './mentions.ts'
import { presentNote } from './present.ts'
import { deleteNote, findNote, insertNote, listNotes, updateNote } from './queries.ts'
import type { Note, NoteCursor } from './types.ts'

export interface NotesOptions {
  db: Database
  live: Pick<LiveEvents, 'publish'>
  /** Names of those who may log in. */
  colleagues(): Promise<ReadonlySet<string>>
  findSession(sessionId: string): Promise<HandoffSession | undefined>
}

export type Notes = ReturnType<typeof createNotes>

/** How the desk is told of a note. */
type NoteChange = 'added' | 'changed' | 'removed'

type Place = Pick<Note, 'sessionId' | 'noteId'>

/** Notes of people on conversations: neither customers nor models, evaluation or mining read them. */
export function createNotes(options: NotesOptions) {
  const { db, colleagues } = options

  return {
    /** Throws not_found. */
    async add({ sessionId, author, content }: Pick<Note, 'sessionId' | 'author' | 'content'>): Promise<Note> {
      const mentions = mentionsOf(content, await colleagues())
      return db.transaction(async (trx) => {
        const note = await insertNote(trx, { noteId: newId('note'), sessionId, author, content, mentions })
        if (!note) throw noSession(sessionId)
        await tell(options, trx, note, 'added')
        return note
      })
    },

    /** The newest first. Throws not_found. */
    async list(sessionId: string, before: NoteCursor | null, limit: number): Promise<Note[]> {
      const notes = await listNotes(db.executor, { sessionId, before, limit })
      if (notes.length === 0 && !(await options.findSession(sessionId))) throw noSession(sessionId)
      return notes
    },

    /** Throws not_found, and forbidden for a note of somebody else. */
    async change(place: Place, content: string, actor: Actor | null): Promise<{ before: Note; after: Note }> {
      const mentions = mentionsOf(content, await colleagues())
      return db.transaction(async (trx) => {
        const before = await ownNote(trx, place, actor)
        const after = await updateNote(trx, { noteId: place.noteId, content, mentions })
        await tell(options, trx, after, 'changed')
        return { before, after }
      })
    },

    /** Throws not_found, and forbidden for a note of somebody else. */
    remove: (place: Place, actor: Actor | null): Promise<Note> =>
      db.transaction(async (trx) => {
        const note = await ownNote(trx, place, actor)
        await deleteNote(trx, place.noteId)
        await tell(options, trx, note, 'removed')
        return note
      }),

    /** As the desk is told of it, with what it says now; undefined: it has gone with its session. */
    async telling(ref: string): Promise<Telling | undefined> {
      const [sessionId, noteId, change] = parseJsonOrNothing(ref) as [string, string, NoteChange]
      const session = await options.findSession(sessionId)
      const note = await findNote(db.executor, { sessionId, noteId })
      if (!session || (!note && change !== 'removed')) return undefined
      const data = { change, note_id: noteId, ...(note && { note: presentNote(note) }) }
      return { event: 'note', session, data, concerns: note?.mentions ?? [] }
    },
  }
}

/** Locked until the transaction ends: of two who meet the second sees what the first left. */
async function ownNote(trx: Executor, place: Place, actor: Actor | null): Promise<Note> {
  const note = await findNote(trx, place, true)
  if (!note) throw new AppError('not_found', 'note', `The session has no note ${place.noteId}`)
  if (actor === null || actor.isAdmin || actor.name === note.author) return note
  throw new AppError(
    'forbidden',
    'note',
    `The note is of ${note.author || 'a program'}: only they and admins change it`,
  )
}

/** Names the note alone: whoever listens reads what it says now. */
function tell({ live }: NotesOptions, trx: Executor, { sessionId, noteId }: Note, change: NoteChange): Promise<void> {
  return live.publish(trx, { topic: 'workspace', type: 'note', ref: JSON.stringify([sessionId, noteId, change]) })
}

function noSession(sessionId: string): AppError {
  return new AppError('not_found', 'session', `No session has the session_id ${sessionId}`)
}
