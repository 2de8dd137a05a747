import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Trace, TraceSink } from '../../kernel/tracing.ts'
import type { BatchWriter } from '../../platform/batch-writer.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { findProblems, TURN_PARAMETERS, type Tuner, type TunerParameters } from '../tuning/index.ts'
import { followExperiments, variantOf } from './in-force.ts'
import { type Recorded, toBatches, toUnits } from './metric-batches.ts'
import {
  addExperiment,
  countExperiments,
  countUnits,
  endExperiment,
  findExperiment,
  hasRoomForMetric,
  listExperiments,
  listPlanned,
  lockExperiments,
  mergeMetrics,
  readMetrics,
  removeExperiments,
  removeMetric,
  trimUnits,
} from './queries.ts'
import { type ExperimentResults, toResults } from './results.ts'
import { settleSessions } from './session-facts.ts'
import { assertTrafficSplit } from './traffic-split.ts'
import type { Ending, EndReason, Experiment, ListedExperiment } from './types.ts'
import { countDistinct, KEPT_UNITS } from './units.ts'

export interface ExperimentsOptions {
  db: Database
  clock: Clock
  openWriter: (write: (values: readonly Recorded[]) => Promise<void>) => BatchWriter<Recorded>
  tuner: Pick<Tuner, 'current'>
  log: Log
}

export interface NewExperiment
  extends Pick<
    Experiment,
    'name' | 'description' | 'variants' | 'trafficSplit' | 'judgedBy' | 'endsAt' | 'sessionsPerVariant'
  > {
  variantParams: Record<string, Record<string, unknown>>
}

/** Who asks. Anybody makes, overwrites and measures plain experiments; those that change replies need the key. */
export interface Asker {
  isTrusted: boolean
}

export type Experiments = Awaited<ReturnType<typeof createExperiments>>

/** Experiments there may be before one more is refused; who has the key finds room also when others took theirs. */
const MAX_EXPERIMENTS = { trusted: 1_000, others: 200 }
/** Metrics of one variant, likewise. */
const MAX_METRICS = { trusted: 200, others: 100 }
/** Metrics that the service measures itself, which no other word is mixed with. */
const OWN_METRICS = new Set([
  'response_time_ms',
  'escalated',
  'confident',
  'feedback',
  'contained',
  'resolved',
  'rating',
  'evaluation',
])

/** A/B experiments: who gets which variant, what it changes and what came of it. */
export async function createExperiments(options: ExperimentsOptions) {
  const { db } = options
  const inForce = await followExperiments(db, options.log)
  const writer = options.openWriter((values) => store(db, values))

  function recordFor(unit: string, values: Record<string, number>): void {
    for (const { experiment, variant } of inForce.of(unit)) {
      for (const [metric, value] of Object.entries(values)) {
        writer.push({ experimentId: experiment.experimentId, variant, metric, value, unit })
      }
    }
  }

  const kept = keeping(options, inForce.refresh, writer)
  return {
    ...kept,
    ...measuring(db, writer),

    /** For the chat: parameters that experiments override for this session, the last made experiment winning. */
    parametersFor(unit: string): Partial<TunerParameters> {
      const found = inForce.of(unit).map(({ experiment, variant }) => experiment.variantParams[variant])
      const overrides = Object.assign({}, ...found)
      // They were right together with the parameters of then, which may have been tuned since.
      return findProblems(overrides, options.tuner.current().params).length === 0 ? overrides : {}
    },

    /** Records what a session's turns come to in the experiments that change something for it. */
    sink: { record: (trace) => recordFor(trace.sessionId, metricsOf(trace)) } satisfies TraceSink,

    /** For the chat: what the customer thought of a reply. */
    feedback: (unit: string, rating: 'up' | 'down'): void => recordFor(unit, { feedback: rating === 'up' ? 1 : 0 }),

    /** For those who ask for ratings of whole conversations: 1 to 5. */
    rated: (unit: string, rating: number): void => recordFor(unit, { rating }),

    /** Counts the sessions that ended since the last time, and ends what is due. */
    async settle(): Promise<void> {
      await settleSessions(options, inForce.all())
      await kept.endPlanned()
    },

    queue: writer.stats,
    async close(): Promise<void> {
      await inForce.close()
      await writer.close()
    },
  }
}

/** Changes to experiments. */
function keeping(
  { db, clock, tuner }: ExperimentsOptions,
  refresh: (name: string) => Promise<void>,
  writer: Pick<BatchWriter<Recorded>, 'flush'>,
) {
  return {
    /**
     * Makes it, or replaces what has its name and clears its metrics; without the key one that changes replies stays
     * beside it. Throws bad_request for a parameter that no turn reads, and invalid naming what else is wrong, or that
     * there are too many.
     */
    async create(request: NewExperiment, { isTrusted }: Asker): Promise<Experiment> {
      assertTrafficSplit(request.variants, request.trafficSplit)
      const variantParams = checkParams(request, tuner.current().params)
      const isGuarded = Object.keys(variantParams).length > 0
      assertLater(request.endsAt, clock.now())
      const made = { experimentId: newId('exp'), createdAt: new Date(clock.now()), ...RUNNING }
      // One that changes replies is measured by itself, so there is always something to judge it by.
      const judgedBy = request.judgedBy ?? (isGuarded ? 'handoff' : null)
      const experiment = { ...request, variantParams, isGuarded, judgedBy, ...made }
      await db.transaction(async (trx) => {
        await lockExperiments(trx)
        await removeExperiments(db, trx, request.name, isTrusted)
        assertRoom(await countExperiments(trx), isTrusted)
        await addExperiment(db, trx, experiment)
      })
      if (isTrusted) await refresh(request.name)
      return experiment
    },

    /** Its results stay. Ending it again changes nothing. Throws not_found for an unknown name. */
    async end(name: string, by: string | null): Promise<Experiment> {
      await writer.flush()
      const experiment = await findOr404(db, name, { isTrusted: true })
      const ending: Ending = { at: new Date(clock.now()), reason: 'by_hand', by }
      await db.transaction((trx) => endExperiment(db, trx, experiment, ending))
      await refresh(name)
      return findOr404(db, name, { isTrusted: true })
    },

    /** Ends those whose time is over, or which each variant's sessions have measured. */
    async endPlanned(): Promise<void> {
      await writer.flush()
      for (const experiment of await listPlanned(db.executor)) {
        const reason = await dueReason(db, experiment, clock.now())
        if (!reason) continue
        const ending: Ending = { at: new Date(clock.now()), reason, by: null }
        await db.transaction((trx) => endExperiment(db, trx, experiment, ending))
        await refresh(experiment.name)
      }
    },

    /** All that have the name, with their results. Throws not_found for an unknown name. */
    async remove(name: string): Promise<void> {
      const removed = await db.transaction((trx) => removeExperiments(db, trx, name, true))
      await refresh(name)
      if (removed === 0) throw unknown(name)
    },
  }
}

/** Reading experiments, and recording in them. */
function measuring(db: Database, writer: Pick<BatchWriter<Recorded>, 'flush'>) {
  return {
    async list({ isTrusted }: Asker): Promise<ListedExperiment[]> {
      await writer.flush()
      return listExperiments(db.executor, isTrusted)
    },

    /** Throws not_found for an unknown name. */
    async results(name: string, asker: Asker): Promise<ExperimentResults> {
      await writer.flush()
      const experiment = await findOr404(db, name, asker)
      const [metrics, units] = await Promise.all([
        readMetrics(db.executor, experiment.experimentId),
        countUnits(db.executor, experiment.experimentId, KEPT_UNITS),
      ])
      return toResults(experiment, metrics, units)
    },

    /** Records a value; of an unknown or ended experiment or an unknown variant nothing is kept. */
    async record(name: string, value: Omit<Recorded, 'experimentId'>, { isTrusted }: Asker): Promise<void> {
      const experiment = await findExperiment(db.executor, name, isTrusted)
      if (!experiment?.variants.includes(value.variant) || experiment.endedAt !== null) return
      if (experiment.isGuarded && !isTrusted && OWN_METRICS.has(value.metric)) return
      const recorded = { ...value, experimentId: experiment.experimentId }
      const limit = isTrusted ? MAX_METRICS.trusted : MAX_METRICS.others
      if (!(await hasRoomForMetric(db.executor, { ...recorded, limit }))) {
        const why = `a variant has at most ${limit} metrics, and this one has them`
        throw new AppError('invalid', 'experiment_metrics', `metric_name: ${why}`)
      }
      await store(db, [recorded])
    },

    /** Its variants, to be tried on a test set. Throws not_found for an unknown name, and conflict for one that has ended. */
    async trial(name: string, asker: Asker) {
      const { experimentId, variants, variantParams, endedAt } = await findOr404(db, name, asker)
      if (endedAt) throw new AppError('conflict', 'experiment_ended', 'The experiment has ended')
      return {
        name,
        variants: variants.map((variant) => ({ variant, params: variantParams[variant] ?? {} })),
        /** In place of what was stored before: the same cases again are no further evidence. */
        store: (right: ReadonlyMap<string, readonly boolean[]>) => storeTrial(db, experimentId, right),
      }
    },

    /** The variant of a unit, always the same one while the experiment stands. Throws not_found for an unknown name. */
    async assignment(name: string, unit: string, asker: Asker): Promise<string> {
      return variantOf(await findOr404(db, name, asker), unit) ?? ''
    },
  }
}

async function storeTrial(
  db: Database,
  experimentId: string,
  right: ReadonlyMap<string, readonly boolean[]>,
): Promise<void> {
  const values = [...right].flatMap(([variant, answers]) =>
    answers.map((isRight) => ({ experimentId, variant, metric: EVALUATED, value: Number(isRight) })),
  )
  await db.transaction(async (trx) => {
    await removeMetric(trx, experimentId, EVALUATED)
    await mergeMetrics(trx, toBatches(values))
  })
}

async function store(db: Database, values: readonly Recorded[]): Promise<void> {
  const units = toUnits(values)
  await mergeMetrics(db.executor, toBatches(values), units)
  const variants = new Map(units.map((unit) => [`${unit.experimentId} ${unit.variant}`, unit]))
  // Values that are not trimmed now are the next time; a failure here must not have the values recorded twice.
  for (const unit of variants.values()) await trimUnits(db.executor, unit, KEPT_UNITS).catch(() => {})
}

async function findOr404(db: Database, name: string, { isTrusted }: Asker): Promise<Experiment> {
  const experiment = await findExperiment(db.executor, name, isTrusted)
  if (!experiment) throw unknown(name)
  return experiment
}

function unknown(name: string): AppError {
  return new AppError('not_found', 'experiment', `No experiment has the name ${name}`)
}

/** Of one turn. `confident`: how sure the answer was, where one was looked for; whether it was right nobody knows yet. */
function metricsOf({ durationMs, escalated = false, confidence, status }: Trace): Record<string, number> {
  const measured = { response_time_ms: durationMs, escalated: Number(escalated) }
  if (confidence === undefined) return measured
  return { ...measured, confident: Number(status === 'ok' && confidence === 'sure') }
}

const EVALUATED = 'evaluation'

const RUNNING = { endedAt: null, endReason: null, endedBy: null }

function assertLater(endsAt: Date | null, now: number): void {
  if (endsAt && endsAt.getTime() <= now) throw new AppError('invalid', 'ends_at', 'ends_at: must be a time to come')
}

/** Null: it goes on. */
async function dueReason(db: Database, experiment: Experiment, now: number): Promise<EndReason | null> {
  const { endsAt, sessionsPerVariant: wanted, experimentId, trafficSplit, variants } = experiment
  if (endsAt && endsAt.getTime() <= now) return 'time'
  if (wanted === null) return null
  const counts = await countUnits(db.executor, experimentId, KEPT_UNITS)
  const measuredBy = (variant: string): number => {
    const kept = counts.find((each) => each.variant === variant)
    return kept ? countDistinct(kept) : 0
  }
  const taking = variants.filter((variant) => (trafficSplit[variant] ?? 0) > 0)
  return taking.every((variant) => measuredBy(variant) >= wanted) ? 'sessions' : null
}

function assertRoom(count: number, isTrusted: boolean): void {
  const limit = isTrusted ? MAX_EXPERIMENTS.trusted : MAX_EXPERIMENTS.others
  if (count < limit) return
  throw new AppError('invalid', 'experiments', `name: there are ${limit} experiments already; remove one first`)
}

function checkParams(
  { variants, variantParams }: NewExperiment,
  current: TunerParameters,
): Record<string, Record<string, number>> {
  for (const [variant, params] of Object.entries(variantParams)) {
    const name = JSON.stringify(variant.slice(0, 80))
    if (!variants.includes(variant)) throw wrong('invalid', `names ${name}, which is no variant`)
    const unread = Object.keys(params).filter((each) => !TURN_PARAMETERS.some((known) => known === each))
    if (unread.length > 0) {
      const named = unread.slice(0, 10).map((each) => each.slice(0, 80))
      const known = `an experiment can change ${TURN_PARAMETERS.join(', ')}`
      throw wrong('bad_request', `${name}: no turn reads ${named.join(', ')}; ${known}`)
    }
    const problems = findProblems(params, current)
    if (problems.length > 0) throw wrong('invalid', `${name}: ${problems.join('; ')}`)
  }
  return variantParams as Record<string, Record<string, number>>
}

function wrong(kind: 'bad_request' | 'invalid', why: string): AppError {
  return new AppError(kind, 'variant_params', `variant_params: ${why}`)
}
