import pLimit from 'p-limit'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import {
  ASSISTANT_CHANNEL,
  type AssistantChange,
  findChosen,
  listAssistantChanges,
  lockAssistant,
  readAssistant,
  type StoredAssistant,
  saveAssistant,
} from './queries.ts'
import { ASSISTANT_FIELDS, type AssistantField, type AssistantSettings } from './types.ts'

export interface SettingsOptions {
  db: Database
  log: Log
  /** Settings of the assistant in the environment. */
  defaults: AssistantSettings
  /** A model is configured: without one there is nothing to set of it. */
  hasModel: boolean
}

export interface AssistantView extends Omit<StoredAssistant, 'chosen'> {
  settings: AssistantSettings
  /** Fields that people chose; all others are the environment's. */
  chosen: AssistantField[]
}

/** @param reset fields that go back to the environment's */
export interface AssistantUpdate {
  changes: Partial<AssistantSettings>
  reset: readonly AssistantField[]
  expectedVersion: number | undefined
  by: string | null
}

interface Changed {
  before: AssistantView
  after: AssistantView
}

export type Assistant = Awaited<ReturnType<typeof createAssistant>>

const MODEL_FIELDS: readonly AssistantField[] = ['model', 'temperature']

type Defaults = Pick<SettingsOptions, 'defaults'>

/** The assistant's settings in force: kept in memory, stored in the database, followed by every replica. */
export async function createAssistant({ db, log, defaults, hasModel }: SettingsOptions) {
  const { current, reload, onChange, close } = await followAssistant({ db, log, defaults })
  const change = async (how: How, choose: Choose): Promise<Changed> => {
    const before = await db.transaction((trx) => saveChange({ db, trx, defaults }, how, choose))
    await reload()
    return { before, after: current() }
  }
  return {
    defaults,
    hasModel,
    /** In force now; cheap, call it for every request. */
    current,
    /** Throws conflict where somebody was first, or where there is no model to set. */
    update({ changes, reset, expectedVersion, by }: AssistantUpdate): Promise<Changed> {
      if (!hasModel && MODEL_FIELDS.some((name) => changes[name] !== undefined)) {
        throw new AppError('conflict', 'no_model', 'No model is configured: LLM_MODEL is empty')
      }
      const isKept = ([name]: [string, unknown]): boolean => !reset.includes(name as AssistantField)
      return change({ action: 'update', by, expectedVersion }, async ({ chosen }) =>
        Object.fromEntries(Object.entries({ ...chosen, ...changes }).filter(isKept)),
      )
    },
    /** Brings a version back; default: the one before this. Throws not_found, and conflict where nothing was changed yet. */
    undo: (toVersion: number | undefined, by: string | null): Promise<Changed> =>
      change({ action: 'undo', by }, async ({ version }, trx) => {
        const wanted = toVersion ?? version - 1
        if (wanted < 1) throw new AppError('conflict', 'nothing_to_undo', 'Nothing was changed yet')
        const chosen = await findChosen(trx, wanted)
        if (!chosen) throw new AppError('not_found', 'version', `There is no version ${wanted}`)
        return chosen
      }),
    history: (page: { limit: number; before: number | null }) => listAssistantChanges(db.executor, page),
    /** Runs a listener after a change took effect here. */
    onChange,
    close,
  }
}

async function followAssistant({ db, log, ...options }: Pick<SettingsOptions, 'db' | 'log'> & Defaults) {
  let view = toView(await readAssistant(db.executor), options)
  const listeners = new Set<() => void>()
  const inTurn = pLimit(1)
  const reload = () =>
    inTurn(async () => {
      const fresh = toView(await readAssistant(db.executor), options)
      if (fresh.version === view.version) return
      view = fresh
      for (const listener of listeners) listener()
    })
  const follow = (): void => {
    reload().catch((error: unknown) => log.warn({ err: error }, 'A change of the assistant was missed'))
  }
  const close = await db.listen(ASSISTANT_CHANNEL, follow, follow)
  return {
    current: (): AssistantView => view,
    reload,
    onChange: (listener: () => void): void => void listeners.add(listener),
    close,
  }
}

interface How {
  action: AssistantChange['action']
  by: string | null
  expectedVersion?: number | undefined
}

/** Says what is chosen from now on, by what was. */
type Choose = (state: StoredAssistant, trx: Executor) => Promise<Partial<AssistantSettings>>

/** One change after the other. Returns how it was before. */
async function saveChange(
  { db, trx, ...options }: { db: Database; trx: Executor } & Defaults,
  { action, by, expectedVersion: expected }: How,
  choose: Choose,
): Promise<AssistantView> {
  const state = await lockAssistant(trx)
  if (expected !== undefined && state.version !== expected) {
    throw new AppError('conflict', 'assistant_version', `The settings have version ${state.version} by now`)
  }
  const before = toView(state, options)
  const chosen = await choose(state, trx)
  const after = toView({ ...state, chosen }, options)
  const changes = differences(before.settings, after.settings)
  const isSame = Object.keys(changes).length === 0 && before.chosen.join() === after.chosen.join()
  if (!isSame) await saveAssistant(db, trx, { version: state.version + 1, action, changes, chosen, by })
  return before
}

function toView({ chosen, ...state }: StoredAssistant, { defaults }: Defaults): AssistantView {
  const settings = { ...defaults, ...chosen }
  return { ...state, settings, chosen: ASSISTANT_FIELDS.filter((name) => name in chosen) }
}

function differences(before: AssistantSettings, after: AssistantSettings): AssistantChange['changes'] {
  const changed = ASSISTANT_FIELDS.filter((name) => before[name] !== after[name])
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}
