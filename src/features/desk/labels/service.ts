import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { LiveEvents } from '../../../platform/live-events.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { HandoffSession, Telling } from '../../handoff/index.ts'
import {
  addLabels,
  countLabels,
  deleteLabel,
  findLabel,
  insertLabel,
  keepLabels,
  labelsOf,
  listLabels,
  lockSession,
  removeLabels,
  updateLabel,
} from './queries.ts'
import type { Label } from './types.ts'

export interface LabelsOptions {
  db: Database
  live: Pick<LiveEvents, 'publish'>
  findSession(sessionId: string): Promise<HandoffSession | undefined>
  /** Whether an error of the database says that something is there already. */
  isDuplicate(error: unknown): boolean
}

export type Labels = ReturnType<typeof createLabels>

/** More would be a search of their own. */
const MAX_LABELS = 500

/** Labels of a conversation that are to be, of those that it has. */
export type Relabel = { set: readonly string[] } | { add: readonly string[] } | { remove: readonly string[] }

/** Labels that people sort conversations by. */
export function createLabels(options: LabelsOptions) {
  const { db } = options
  const { executor } = db

  return {
    list: (): Promise<(Label & { sessions: number })[]> => listLabels(executor),

    /** Throws conflict where the name is taken, or there are too many. */
    async add(given: Omit<Label, 'labelId'>): Promise<Label> {
      if ((await countLabels(executor)) >= MAX_LABELS) {
        throw new AppError('conflict', 'labels', `There are ${MAX_LABELS} labels: remove one first`)
      }
      const label = await insertLabel(executor, { labelId: newId('label'), ...given })
      if (!label) throw taken(given.name)
      return label
    },

    /** Throws not_found, and conflict where the name is taken. */
    change: (labelId: string, change: Partial<Omit<Label, 'labelId'>>): Promise<{ before: Label; after: Label }> =>
      db
        .transaction(async (trx) => {
          const before = await findLabel(trx, labelId)
          if (!before) throw noLabel(labelId)
          const after = { ...before, ...change }
          await updateLabel(trx, after)
          return { before, after }
        })
        .catch((error: unknown) => {
          throw options.isDuplicate(error) ? taken(change.name ?? '') : error
        }),

    /** Takes it from all conversations, too. Throws not_found. */
    async remove(labelId: string): Promise<Label> {
      const label = await deleteLabel(executor, labelId)
      if (!label) throw noLabel(labelId)
      return label
    },

    /** Throws not_found. */
    async of(sessionId: string): Promise<Label[]> {
      if (!(await options.findSession(sessionId))) throw noSession(sessionId)
      return labelsOf(executor, sessionId)
    },

    relabel: (sessionId: string, change: Relabel): Promise<{ before: Label[]; after: Label[] }> =>
      relabel(options, sessionId, change),

    /** As the desk is told of the labels of a conversation. */
    async telling(sessionId: string): Promise<Telling | undefined> {
      const session = await options.findSession(sessionId)
      const labels = (await labelsOf(executor, sessionId)).map(({ labelId, ...label }) => ({
        label_id: labelId,
        ...label,
      }))
      return session && { event: 'labels', session, data: { labels }, concerns: [] }
    },
  }
}

/** Of two who meet the second finds what the first left. Throws not_found, and invalid for a label that is not there. */
function relabel({ db, live }: LabelsOptions, sessionId: string, change: Relabel) {
  return db.transaction(async (trx) => {
    if (!(await lockSession(trx, sessionId))) throw noSession(sessionId)
    const before = await labelsOf(trx, sessionId)
    const had = before.map(({ labelId }) => labelId)
    if ('remove' in change) await removeLabels(trx, sessionId, change.remove)
    else {
      const wanted = 'set' in change ? change.set : change.add
      const known = new Set(await keepLabels(trx, wanted))
      const missing = wanted.find((id) => !known.has(id))
      if (missing !== undefined)
        throw new AppError('invalid', 'label', `label_ids: no label has the label_id ${missing}`)
      if ('set' in change)
        await removeLabels(
          trx,
          sessionId,
          had.filter((id) => !known.has(id)),
        )
      await addLabels(trx, sessionId, [...known])
    }
    const after = await labelsOf(trx, sessionId)
    if (had.join() !== after.map(({ labelId }) => labelId).join()) {
      await live.publish(trx, { topic: 'workspace', type: 'labels', ref: sessionId })
    }
    return { before, after }
  })
}

function taken(name: string): AppError {
  return new AppError('conflict', 'label_name', `name: another label is called ${name}`)
}

function noLabel(labelId: string): AppError {
  return new AppError('not_found', 'label', `No label has the label_id ${labelId}`)
}

function noSession(sessionId: string): AppError {
  return new AppError('not_found', 'session', `No session has the session_id ${sessionId}`)
}
