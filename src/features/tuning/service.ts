import pLimit from 'p-limit'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { DEFAULTS, findProblems, PARAMETER_NAMES, type TunerParameters } from './parameters.ts'
import {
  type HistoryEntry,
  listHistory,
  lockState,
  readState,
  saveState,
  TUNER_CHANNEL,
  type TunerState,
} from './queries.ts'

export type TunerView = ReturnType<typeof toView>
export type Tuner = Awaited<ReturnType<typeof createTuner>>

/** The parameters in force: kept in memory, stored in the database, followed by every replica. */
export async function createTuner({ db, log }: { db: Database; log: Log }) {
  let view = toView(await readState(db.executor))
  const listeners = new Set<() => void>()

  const inTurn = pLimit(1)
  const reload = () =>
    inTurn(async () => {
      const fresh = toView(await readState(db.executor))
      if (fresh.version === view.version) return
      view = fresh
      for (const listener of listeners) listener()
    })
  const follow = (): void => {
    reload().catch((error: unknown) => log.warn({ err: error }, 'A change of the tuner was missed'))
  }
  const unfollow = await db.listen(TUNER_CHANNEL, follow, follow)

  /** Throws invalid that names every wrong parameter, and conflict when `expected` is not the version any more. */
  async function change(
    changes: Record<string, unknown>,
    action: HistoryEntry['action'],
    expected?: number,
  ): Promise<TunerView> {
    await db.transaction(async (trx) => {
      const state = await lockState(trx)
      if (expected !== undefined && state.version !== expected) {
        throw new AppError('conflict', 'tuner_version', `The parameters have version ${state.version} by now`)
      }
      const before = { ...DEFAULTS, ...state.params }
      const problems = findProblems(changes, before)
      if (problems.length > 0) throw new AppError('invalid', 'tuner_params', problems.join('; '))
      const after = { ...before, ...(changes as Partial<TunerParameters>) }
      const changed = differences(before, after)
      if (Object.keys(changed).length === 0) return
      await saveState(db, trx, { version: state.version + 1, params: withoutDefaults(after), action, changes: changed })
    })
    await reload()
    return view
  }

  return {
    /** In force now; cheap, call it for every request. */
    current: (): TunerView => view,
    update: (changes: Record<string, unknown>, action: 'update' | 'auto' = 'update', expectedVersion?: number) =>
      change(changes, action, expectedVersion),
    reset: () => change({ ...DEFAULTS }, 'reset'),
    history: (limit: number) => listHistory(db.executor, limit),
    /** Runs after a change took effect here. */
    onChange(listener: () => void): void {
      listeners.add(listener)
    },
    close: unfollow,
  }
}

function toView(state: TunerState) {
  return { ...state, params: { ...DEFAULTS, ...state.params } }
}

export function differences(before: TunerParameters, after: TunerParameters): HistoryEntry['changes'] {
  const changed = PARAMETER_NAMES.filter((name) => before[name] !== after[name])
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}

/** Only deviations are stored, so that a better default of a later release reaches those who never touched it. */
function withoutDefaults(params: TunerParameters): Partial<TunerParameters> {
  return Object.fromEntries(
    PARAMETER_NAMES.filter((name) => params[name] !== DEFAULTS[name]).map((name) => [name, params[name]]),
  )
}
