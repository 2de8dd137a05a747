import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { Label } from './types.ts'

const columns = sql`label_id as "labelId", name, colour`

/** By name, each with the number of conversations that have it. */
export async function listLabels(executor: Executor): Promise<(Label & { sessions: number })[]> {
  const { rows } = await sql<Label & { sessions: number }>`select ${columns},
      (select count(*)::integer from desk_session_labels s where s.label_id = l.label_id) as sessions
    from desk_labels l order by lower(name), label_id`.execute(executor)
  return rows
}

export async function countLabels(executor: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from desk_labels`.execute(executor)
  return rows[0]?.count ?? 0
}

/** Undefined: another label has the name. */
export async function insertLabel(executor: Executor, { labelId, name, colour }: Label): Promise<Label | undefined> {
  const { rows } = await sql<Label>`insert into desk_labels (label_id, name, colour)
    values (${labelId}, ${name}, ${colour}) on conflict do nothing returning ${columns}`.execute(executor)
  return rows[0]
}

/** Locked until the transaction ends. */
export async function findLabel(executor: Executor, labelId: string): Promise<Label | undefined> {
  const { rows } = await sql<Label>`select ${columns} from desk_labels where label_id = ${labelId}
    for update`.execute(executor)
  return rows[0]
}

/** Throws where another label has the name, as `isDuplicate` tells. */
export async function updateLabel(executor: Executor, { labelId, name, colour }: Label): Promise<void> {
  await sql`update desk_labels set name = ${name}, colour = ${colour} where label_id = ${labelId}`.execute(executor)
}

export async function deleteLabel(executor: Executor, labelId: string): Promise<Label | undefined> {
  const { rows } = await sql<Label>`delete from desk_labels where label_id = ${labelId} returning ${columns}`.execute(
    executor,
  )
  return rows[0]
}

/** Makes those who change the labels of one session follow each other. False: there is no such session. */
export async function lockSession(executor: Executor, sessionId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`labels:${sessionId}`}, 0))`.execute(executor)
  const { rows } = await sql`select from chat_sessions where session_id = ${sessionId} for key share`.execute(executor)
  return rows.length > 0
}

export async function labelsOf(executor: Executor, sessionId: string): Promise<Label[]> {
  const { rows } = await sql<Label>`select ${columns} from desk_labels join desk_session_labels using (label_id)
    where session_id = ${sessionId} order by lower(name), label_id`.execute(executor)
  return rows
}

/** Of the given labels those that there are; they stay until the transaction ends. */
export async function keepLabels(executor: Executor, labelIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select label_id as id from desk_labels
    where label_id = any(${[...labelIds]}::text[]) order by label_id for key share`.execute(executor)
  return rows.map(({ id }) => id)
}

export async function addLabels(executor: Executor, sessionId: string, labelIds: readonly string[]): Promise<void> {
  await sql`insert into desk_session_labels (session_id, label_id)
    select ${sessionId}, unnest(${[...labelIds]}::text[]) on conflict do nothing`.execute(executor)
}

export async function removeLabels(executor: Executor, sessionId: string, labelIds: readonly string[]): Promise<void> {
  await sql`delete from desk_session_labels where session_id = ${sessionId}
    and label_id = any(${[...labelIds]}::text[])`.execute(executor)
}
