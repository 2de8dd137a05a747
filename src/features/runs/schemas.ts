import { Type } from 'typebox'
import { ClosingEvent, nullable, Timestamp } from '../../http/schemas.ts'

const RUN_STATES = ['running', 'finished', 'failed', 'cancelled', 'interrupted'] as const

export const RunParams = Type.Object({ run_id: Type.String({ minLength: 1, maxLength: 200, examples: ['run_1'] }) })

export const RunsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Older ones than this run', examples: ['run_1'] }),
  ),
})

/** @param stages names of the parts that the work is made of */
export function runBody(stages: readonly string[]) {
  return Type.Object({
    run_id: Type.String({ examples: ['run_1'] }),
    state: Type.Enum([...RUN_STATES], { description: '`interrupted`: its process ended before it' }),
    subject: Type.String({ description: 'What it is about, such as a test set', examples: ['builtin'] }),
    stage: nullable(Type.Enum([...stages])),
    progress: Type.Object({ done: Type.Integer({ examples: [12] }), total: Type.Integer({ examples: [30] }) }),
    eta_seconds: nullable(
      Type.Integer({ description: 'About so long it will go on; null: not known, or over', examples: [40] }),
    ),
    started_at: Timestamp,
    started_by: nullable(Type.String({ examples: ['li.na'] })),
    finished_at: nullable(Timestamp),
    cancelled_at: nullable(Timestamp),
    cancelled_by: nullable(Type.String()),
    result: nullable(Type.String({ description: 'Where what it found is; null: it has not finished' })),
    error: nullable(Type.String()),
  })
}

/** Data of the events of a run. */
export function runEvents(stages: readonly string[]) {
  const run = runBody(stages)
  return { progress: run, finished: run, failed: run, cancelled: run, interrupted: run, closing: ClosingEvent }
}
