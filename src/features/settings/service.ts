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

/** The assistant's settings in force: kept in memory, stored in the database, followed by every replica. */
export async function createAssistant({ db, log, defaults, hasModel }: SettingsOptions) {
  const toView = ({ chosen, ...state }: StoredAssistant): AssistantView => ({
    ...state,
    settings: { ...defaults, ...chosen },
    chosen: ASSISTANT_FIELDS.filter((name) => name in chosen),
  })
  let view = toView(await readAssistant(db.executor))
  const listeners = new Set<() => void>()

  const inTurn = pLimit(1)
  const reload = () =>
    inTurn(async () => {
      const fresh = toView(await readAssistant(db.executor))
      if (fresh.version === view.version) return
      view = fresh
      for (const listener of listeners) listener()
    })
  const follow = (): void => {
    reload().catch((error: unknown) => log.warn({ err: error }, 'A change of the assistant was missed'))
  }
  const unfollow = await db.listen(ASSISTANT_CHANNEL, follow, follow)

  /** @param choose what is chosen from now on, by what was; one change after the other */
  async function change(
    how: { action: AssistantChange['action']; by: string | null; expectedVersion?: number | undefined },
    choose: (state: StoredAssistant, trx: Executor) => Promise<Partial<AssistantSettings>> | Partial<AssistantSettings>,
  ): Promise<Changed> {
    const { expectedVersion: expected, action, by } = how
    let before = view
    await db.transaction(async (trx) => {
      const state = await lockAssistant(trx)
      before = toView(state)
      if (expected !== undefined && state.version !== expected) {
        throw new AppError('conflict', 'assistant_version', `The settings have version ${state.version} by now`)
      }
      const chosen = await choose(state, trx)
      const after = toView({ ...state, chosen })
      const changes = differences(before.settings, after.settings)
      const isSame = Object.keys(changes).length === 0 && before.chosen.join() === after.chosen.join()
      if (!isSame) await saveAssistant(db, trx, { version: state.version + 1, action, changes, chosen, by })
    })
    await reload()
    return { before, after: view }
  }

  return {
    defaults,
    hasModel,
    /** In force now; cheap, call it for every request. */
    current: (): AssistantView => view,
    /** Throws conflict where somebody was first, or where there is no model to set. */
    update({ changes, reset, expectedVersion, by }: AssistantUpdate): Promise<Changed> {
      if (!hasModel && MODEL_FIELDS.some((name) => changes[name] !== undefined)) {
        throw new AppError('conflict', 'no_model', 'No model is configured: LLM_MODEL is empty')
      }
      return change({ action: 'update', by, expectedVersion }, ({ chosen }) => {
        const kept = Object.entries({ ...chosen, ...changes }).filter(
          ([name]) => !reset.includes(name as AssistantField),
        )
        return Object.fromEntries(kept)
      })
    },
    /** Brings a version back; default: the one before this. */
    undo: (toVersion: number | undefined, by: string | null): Promise<Changed> =>
      change({ action: 'undo', by }, async ({ version }, trx) => {
        const wanted = toVersion ?? version - 1
        if (wanted < 1) throw new AppError('conflict', 'nothing_to_undo', 'Nothing was changed yet')
        const chosen = await findChosen(trx, wanted)
        if (!chosen) throw new AppError('not_found', 'version', `There is no version ${wanted}`)
        return chosen
      }),
    history: (page: { limit: number; before: number | null }) => listAssistantChanges(db.executor, page),
    /** Runs after a change took effect here. */
    onChange(listener: () => void): void {
      listeners.add(listener)
    },
    close: unfollow,
  }
}

function differences(before: AssistantSettings, after: AssistantSettings): AssistantChange['changes'] {
  const changed = ASSISTANT_FIELDS.filter((name) => before[name] !== after[name])
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}
