import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { variantOf } from './in-force.ts'
import { type Recorded, toBatches, toUnits } from './metric-batches.ts'
import { listEndedSessions, lockUnsettled, mergeMetrics, noteSettled } from './queries.ts'
import type { EndedSession, Experiment } from './types.ts'

/** A session is over when nothing has happened in it for so long. */
const QUIET_MS = 30 * 60_000
/** Read at a time: what a service that was away has missed is caught up with piece by piece. */
const STEP_MS = 60 * 60_000

/**
 * The end of a session, by facts alone. `contained`: no person was needed. `resolved`: a person was, or the customer's
 * last rating; of a customer who left without a word nobody knows, however sure the answer was.
 */
function factsOf({ hadPerson, rating }: EndedSession): Record<string, number> {
  const contained = { contained: Number(!hadPerson) }
  if (hadPerson) return { ...contained, resolved: 0 }
  return rating === null ? contained : { ...contained, resolved: Number(rating === 'up') }
}

/** Counts the sessions that ended since the last time, each by one of the replicas. */
export async function settleSessions(
  { db, clock }: { db: Database; clock: Clock },
  experiments: readonly Experiment[],
): Promise<void> {
  for (const experiment of experiments) {
    await db.transaction(async (trx) => {
      const from = await lockUnsettled(trx, experiment.experimentId)
      if (from === null) return
      const until = new Date(Math.min(clock.now() - QUIET_MS, from.getTime() + STEP_MS))
      if (until <= from) return
      const values = (await listEndedSessions(trx, from, until)).flatMap((session) => valuesOf(experiment, session))
      if (values.length > 0) await mergeMetrics(trx, toBatches(values), toUnits(values))
      await noteSettled(trx, experiment.experimentId, until)
    })
  }
}

function valuesOf(experiment: Experiment, session: EndedSession): Recorded[] {
  const variant = variantOf(experiment, session.sessionId)
  if (variant === null) return []
  const { experimentId } = experiment
  return Object.entries(factsOf(session)).map(([metric, value]) => {
    return { experimentId, variant, metric, value, unit: session.sessionId }
  })
}
