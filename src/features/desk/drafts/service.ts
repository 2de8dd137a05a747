import { AppError } from '../../../kernel/errors.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { HandoffSession } from '../../handoff/index.ts'
import { deleteDraft, findDraft, saveDraft } from './queries.ts'

export interface Draft {
  content: string
  /** Null: there is none. */
  updatedAt: Date | null
}

export interface DraftPlace {
  sessionId: string
  author: string
}

export interface DraftsOptions {
  db: Database
  findSession(sessionId: string): Promise<HandoffSession | undefined>
}

export type Drafts = ReturnType<typeof createDrafts>

const NONE: Draft = { content: '', updatedAt: null }

/** Words that people have begun to write, each their own in every conversation. */
export function createDrafts({ db, findSession }: DraftsOptions) {
  const assertSession = async (sessionId: string): Promise<void> => {
    if (!(await findSession(sessionId))) throw noSession(sessionId)
  }
  return {
    /** Throws not_found. */
    async find(place: DraftPlace): Promise<Draft> {
      const draft = await findDraft(db.executor, place)
      if (!draft) await assertSession(place.sessionId)
      return draft ?? NONE
    },

    /** The last one counts; nothing but blanks removes it. Throws not_found. */
    async save(place: DraftPlace, content: string): Promise<Draft> {
      if (content.trim() === '') {
        await assertSession(place.sessionId)
        await deleteDraft(db.executor, place)
        return NONE
      }
      const draft = await saveDraft(db.executor, place, content)
      if (!draft) throw noSession(place.sessionId)
      return draft
    },
  }
}

function noSession(sessionId: string): AppError {
  return new AppError('not_found', 'session', `No session has the session_id ${sessionId}`)
}
