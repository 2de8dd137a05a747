import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { Draft, DraftPlace } from './service.ts'

export async function findDraft(executor: Executor, { sessionId, author }: DraftPlace): Promise<Draft | undefined> {
  const { rows } = await sql<Draft>`select content, updated_at as "updatedAt" from desk_drafts
    where session_id = ${sessionId} and author = ${author}`.execute(executor)
  return rows[0]
}

/** Undefined: there is no such session. */
export async function saveDraft(
  executor: Executor,
  { sessionId, author }: DraftPlace,
  content: string,
): Promise<Draft | undefined> {
  const { rows } = await sql<Draft>`insert into desk_drafts (session_id, author, content)
    select session_id, ${author}, ${content} from chat_sessions where session_id = ${sessionId} for key share
    on conflict (session_id, author) do update set content = excluded.content, updated_at = now()
    returning content, updated_at as "updatedAt"`.execute(executor)
  return rows[0]
}

export async function deleteDraft(executor: Executor, { sessionId, author }: DraftPlace): Promise<void> {
  await sql`delete from desk_drafts where session_id = ${sessionId} and author = ${author}`.execute(executor)
}
