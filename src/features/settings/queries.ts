import { sql } from 'kysely'
import { type Database, type Executor, notify, toJson } from '../../platform/postgres/index.ts'
import type { AssistantSettings } from './types.ts'

export const ASSISTANT_CHANNEL = 'assistant_settings'

export interface StoredAssistant {
  version: number
  /** Only what differs from the environment. */
  chosen: Partial<AssistantSettings>
  updatedAt: Date
  updatedBy: string | null
}

export interface AssistantChange {
  version: number
  action: 'update' | 'undo'
  /** By field. */
  changes: Record<string, { from: string | number | null; to: string | number | null }>
  createdAt: Date
  createdBy: string | null
}

export async function readAssistant(executor: Executor, lock = sql``): Promise<StoredAssistant> {
  const { rows } = await sql<StoredAssistant>`select version, chosen, updated_at as "updatedAt",
    updated_by as "updatedBy" from assistant_settings ${lock}`.execute(executor)
  return rows[0] as StoredAssistant
}

/** The state, locked until the transaction ends: of two changes at once the second builds on the first. */
export const lockAssistant = (trx: Executor): Promise<StoredAssistant> => readAssistant(trx, sql`for update`)

export async function saveAssistant(
  db: Database,
  executor: Executor,
  {
    version,
    action,
    changes,
    chosen,
    by,
  }: Pick<AssistantChange, 'version' | 'action' | 'changes'> & {
    chosen: Partial<AssistantSettings>
    by: string | null
  },
): Promise<void> {
  await sql`update assistant_settings set version = ${version}, chosen = ${toJson(chosen)}::jsonb, updated_at = now(),
    updated_by = ${by}`.execute(executor)
  await sql`insert into assistant_settings_history (version, action, changes, chosen, created_by)
    values (${version}, ${action}, ${toJson(changes)}::jsonb, ${toJson(chosen)}::jsonb, ${by})`.execute(executor)
  await notify(db, executor, ASSISTANT_CHANNEL, String(version))
}

/** Choices of a version; undefined: there was none. The first one has nothing chosen and is not in the history. */
export async function findChosen(executor: Executor, version: number): Promise<Partial<AssistantSettings> | undefined> {
  if (version === 1) return {}
  const { rows } = await sql<{ chosen: Partial<AssistantSettings> }>`select chosen from assistant_settings_history
    where version = ${version}`.execute(executor)
  return rows[0]?.chosen
}

/** Newest first. @param before a version; null: from the newest on */
export async function listAssistantChanges(
  executor: Executor,
  { limit, before }: { limit: number; before: number | null },
): Promise<AssistantChange[]> {
  const { rows } = await sql<AssistantChange>`select version, action, changes, created_at as "createdAt",
      created_by as "createdBy"
    from assistant_settings_history where ${before}::int is null or version < ${before}
    order by version desc limit ${limit}`.execute(executor)
  return rows
}
