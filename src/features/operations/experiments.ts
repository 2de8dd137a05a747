import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { oneAtATime } from '../../kernel/one-at-a-time.ts'
import type { BatchWriter } from '../../platform/batch-writer.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Trace, TraceSink } from '../../platform/tracing.ts'
import type { TunerParameters } from '../tuner/index.ts'
import { type Recorded, toBatches } from './metric-batches.ts'
import {
  EXPERIMENTS_CHANNEL,
  findExperiment,
  listExperiments,
  mergeMetrics,
  readMetrics,
  replaceExperiment,
} from './queries.ts'
import { type ExperimentResults, toResults } from './results.ts'
import { assertTrafficSplit, assignVariant } from './traffic-split.ts'
import type { Experiment, ListedExperiment } from './types.ts'

export interface ExperimentsOptions {
  db: Database
  clock: Clock
  openWriter: (write: (values: readonly Recorded[]) => Promise<void>) => BatchWriter<Recorded>
  /** What is wrong with a set of parameters, one line a problem; empty when nothing is. */
  findParameterProblems: (params: Record<string, unknown>) => string[]
  log: { warn(details: object, message: string): void }
}

export interface NewExperiment {
  name: string
  description: string
  variants: string[]
  trafficSplit: Record<string, number>
  variantParams: Record<string, Record<string, unknown>>
}

export type Experiments = Awaited<ReturnType<typeof createExperiments>>

/** A/B experiments: who gets which variant, what it changes and what came of it. */
export async function createExperiments(options: ExperimentsOptions) {
  const { db, clock, log } = options
  let known: Experiment[] = await listExperiments(db.executor)
  const inTurn = oneAtATime()
  const reload = () =>
    inTurn(async () => {
      known = await listExperiments(db.executor)
    })
  const follow = (): void => {
    reload().catch((error: unknown) => log.warn({ err: error }, 'A change of the experiments was missed'))
  }
  const unfollow = await db.listen(EXPERIMENTS_CHANNEL, follow, follow)
  const writer = options.openWriter((values) => mergeMetrics(db.executor, toBatches(values)))

  function recordFor(unit: string, values: Record<string, number>): void {
    for (const { experiment, variant } of running(known, unit)) {
      for (const [metric, value] of Object.entries(values)) {
        writer.push({ experimentId: experiment.experimentId, variant, metric, value })
      }
    }
  }

  return {
    /** Makes it, or replaces the one of that name and clears its metrics. Throws invalid (422) naming what is wrong. */
    async create(request: NewExperiment): Promise<Experiment> {
      assertTrafficSplit(request.variants, request.trafficSplit)
      const variantParams = checkParams(request, options.findParameterProblems)
      const experiment = { ...request, variantParams, experimentId: newId('exp'), createdAt: new Date(clock.now()) }
      await replaceExperiment(db, experiment)
      await reload()
      return experiment
    },

    async list(): Promise<ListedExperiment[]> {
      await writer.flush()
      return listExperiments(db.executor)
    },

    /** Throws not_found for an unknown name. */
    async results(name: string): Promise<ExperimentResults> {
      await writer.flush()
      const experiment = await findOr404(db, name)
      return toResults(experiment, await readMetrics(db.executor, experiment.experimentId))
    },

    /** Records a value; of an unknown experiment or variant nothing is kept. */
    async record(name: string, value: Omit<Recorded, 'experimentId'>): Promise<void> {
      const experiment = await findExperiment(db.executor, name)
      if (!experiment?.variants.includes(value.variant)) return
      await mergeMetrics(db.executor, toBatches([{ ...value, experimentId: experiment.experimentId }]))
    },

    /** The variant of a unit, always the same one while the experiment stands. Throws not_found for an unknown name. */
    async assignment(name: string, unit: string): Promise<string> {
      return variantOf(await findOr404(db, name), unit) ?? ''
    },

    /** For the chat: parameters that experiments override for this session, the last made experiment winning. */
    parametersFor(unit: string): Partial<TunerParameters> {
      const overrides = Object.assign(
        {},
        ...running(known, unit).map(({ experiment, variant }) => experiment.variantParams[variant]),
      )
      // They were right together with the parameters of then, which may have been tuned since.
      return options.findParameterProblems(overrides).length === 0 ? overrides : {}
    },

    /** Records what a session's turns come to in the experiments that change something for it. */
    sink: { record: (trace) => recordFor(trace.sessionId, metricsOf(trace)) } satisfies TraceSink,

    /** For the chat: what the customer thought of a reply. */
    feedback: (unit: string, rating: 'up' | 'down'): void => recordFor(unit, { feedback: rating === 'up' ? 1 : 0 }),

    queue: writer.stats,
    async close(): Promise<void> {
      await unfollow()
      await writer.close()
    },
  }
}

/** Experiments that change something, with the unit's variant in each. */
function running(known: readonly Experiment[], unit: string): { experiment: Experiment; variant: string }[] {
  return known.flatMap((experiment) => {
    if (Object.keys(experiment.variantParams).length === 0) return []
    const variant = variantOf(experiment, unit)
    return variant === null ? [] : [{ experiment, variant }]
  })
}

async function findOr404(db: Database, name: string): Promise<Experiment> {
  const experiment = await findExperiment(db.executor, name)
  if (!experiment) throw new AppError('not_found', 'experiment', `No experiment has the name ${name}`)
  return experiment
}

function variantOf({ name, variants, trafficSplit }: Experiment, unit: string): string | null {
  return assignVariant(name, unit, variants, trafficSplit)
}

/** Of one turn; `resolved`: answered with confidence and without a person. */
function metricsOf({ durationMs, escalated = false, confidence, status }: Trace): Record<string, number> {
  const isResolved = status === 'ok' && !escalated && confidence === 'sure'
  return { response_time_ms: durationMs, escalated: Number(escalated), resolved: Number(isResolved) }
}

function checkParams(
  { variants, variantParams }: NewExperiment,
  findProblems: ExperimentsOptions['findParameterProblems'],
): Record<string, Record<string, number>> {
  for (const [variant, params] of Object.entries(variantParams)) {
    const name = JSON.stringify(variant.slice(0, 80))
    if (!variants.includes(variant)) throw invalid(`names ${name}, which is no variant`)
    const problems = findProblems(params)
    if (problems.length > 0) throw invalid(`${name}: ${problems.join('; ')}`)
  }
  return variantParams as Record<string, Record<string, number>>
}

function invalid(why: string): AppError {
  return new AppError('invalid', 'variant_params', `variant_params: ${why}`)
}
