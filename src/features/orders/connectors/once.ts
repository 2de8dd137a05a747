import { AppError } from '../../../kernel/errors.ts'
import type { BusinessConnector, Change, ChangeOutcome } from '../types.ts'

/**
 * Remembers which changes were sent to other systems. `begin` notes a key and says whether it is `fresh`, was
 * `started` and never finished, or is `done`; of concurrent callers exactly one gets `fresh`. A key that `finish`
 * marks `failed` is fresh again.
 */
export interface ChangeLedger {
  begin(change: Change, connector: string): Promise<'fresh' | 'started' | 'done'>
  finish(idempotencyKey: string, state: 'done' | 'failed'): Promise<void>
}

/** Failures that happen before anything is sent. */
const unsent = new Set(['circuit_open', 'outbound_refused', 'bad_identifier'])

/**
 * At most once: another system may carry out a change and fail to say so, so a change whose end is not known is never
 * sent again; its outcome is `unknown`.
 */
export function onceOnly(connector: BusinessConnector, ledger: ChangeLedger): BusinessConnector {
  async function applyChange(change: Change): Promise<ChangeOutcome> {
    const state = await ledger.begin(change, connector.name)
    if (state === 'done') return { status: 'repeated' }
    if (state === 'started') return { status: 'unknown' }
    try {
      const outcome = await connector.applyChange(change)
      await ledger.finish(change.idempotency_key, outcome.status === 'conflict' ? 'failed' : 'done')
      return outcome
    } catch (error) {
      if (error instanceof AppError && unsent.has(error.code)) await ledger.finish(change.idempotency_key, 'failed')
      throw error
    }
  }
  return { ...connector, applyChange }
}
