import { type Static, Type } from 'typebox'
import { demandKey, open } from '../../http/auth.ts'
import { noteChange } from '../../http/changes.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { parseTimestamp } from '../../kernel/time.ts'
import type { ExperimentResults } from './results.ts'
import {
  AssignmentBody,
  AssignmentQuery,
  CreateExperimentBody,
  ExperimentBody,
  ExperimentParams,
  ExperimentsBody,
  MetricBody,
  ResultsBody,
} from './schemas.ts'
import type { Experiments } from './service.ts'
import type { Experiment } from './types.ts'

const tags = ['operations']

export function experimentRoutes(app: App, { experiments }: { experiments: Experiments }): void {
  keepingRoutes(app, experiments)
  endingRoutes(app, experiments)
  metricRoutes(app, experiments)
}

function keepingRoutes(app: App, experiments: Experiments): void {
  app.post(
    '/api/v1/operations/experiments',
    {
      config: open,
      schema: {
        summary: 'Create or replace an experiment',
        description:
          'Open, but for `variant_params`: what changes replies is made and replaced with the key only. Without it an ' +
          'experiment of the same name stands beside the one that changes replies.',
        tags,
        body: CreateExperimentBody,
        response: { 201: ExperimentBody, ...errors(400, 401, 422, 503) },
      },
    },
    async (request, reply) => {
      const { body, caller } = request
      const variantParams = body.variant_params ?? {}
      if (Object.keys(variantParams).length > 0) demandKey(request)
      const { name, description = '', variants, traffic_split: trafficSplit } = body
      const about = { name, description, variants, trafficSplit, variantParams }
      const experiment = await experiments.create({ ...about, ...planOf(body) }, caller)
      request.log.info({ experiment: experiment.experimentId, isTrusted: caller.isTrusted }, 'An experiment was made')
      noteChange(request, { subject: `experiment:${name}`, after: presentExperiment(experiment, caller) })
      return reply.status(201).send(presentExperiment(experiment, caller))
    },
  )

  app.get(
    '/api/v1/operations/experiments',
    { config: open, schema: { summary: 'All experiments', tags, response: { 200: ExperimentsBody, ...errors(503) } } },
    async ({ caller }) => {
      const all = await experiments.list(caller)
      return all.map(({ samples, ...each }) => ({ ...presentExperiment(each, caller), samples }))
    },
  )

  app.get(
    '/api/v1/operations/experiments/:name/assignment',
    {
      config: open,
      schema: {
        summary: 'The variant of a session or customer',
        description: 'By a hash: the same unit gets the same variant as long as the experiment stands.',
        tags,
        params: ExperimentParams,
        querystring: AssignmentQuery,
        response: { 200: AssignmentBody, ...errors(404, 422, 503) },
      },
    },
    async ({ params: { name }, query: { unit }, caller }) => ({
      name,
      unit,
      variant: await experiments.assignment(name, unit, caller),
    }),
  )
}

function endingRoutes(app: App, experiments: Experiments): void {
  app.post(
    '/api/v1/operations/experiments/:name/end',
    {
      schema: {
        summary: 'End an experiment and keep its results',
        description: 'It changes no reply and records nothing any more. Ending it again changes nothing.',
        tags,
        params: ExperimentParams,
        response: { 200: ExperimentBody, ...errors(401, 403, 404, 422, 503) },
      },
    },
    async (request) => {
      const { caller } = request
      const experiment = await experiments.end(request.params.name, caller.person?.name ?? caller.name)
      request.log.info({ experiment: experiment.experimentId }, 'An experiment was ended')
      noteChange(request, { subject: `experiment:${experiment.name}`, after: { state: 'ended' } })
      return presentExperiment(experiment, caller)
    },
  )

  app.delete(
    '/api/v1/operations/experiments/:name',
    {
      schema: {
        summary: 'Remove an experiment and its results',
        tags,
        params: ExperimentParams,
        response: { 204: Type.Null({ description: 'Removed' }), ...errors(404) },
      },
    },
    async (request, reply) => {
      await experiments.remove(request.params.name)
      request.log.info('An experiment was removed')
      return reply.status(204).send(null)
    },
  )
}

function metricRoutes(app: App, experiments: Experiments): void {
  app.get(
    '/api/v1/operations/experiments/:name/results',
    {
      config: open,
      schema: {
        summary: 'What was measured, and whether the variants differ',
        tags,
        params: ExperimentParams,
        response: { 200: ResultsBody, ...errors(404, 422, 503) },
      },
    },
    async ({ params, caller }) => presentResults(await experiments.results(params.name, caller)),
  )

  app.post(
    '/api/v1/operations/experiments/:name/metrics',
    {
      config: open,
      schema: {
        summary: 'Record a value of a metric',
        description: 'Also 204 for an unknown or ended experiment or an unknown variant, of which nothing is kept.',
        tags,
        params: ExperimentParams,
        body: MetricBody,
        response: { 204: Type.Null({ description: 'Recorded' }), ...errors(401, 422, 503) },
      },
    },
    async (request, reply) => {
      const { variant, metric_name: metric, value, unit } = request.body
      if (unit !== undefined) demandKey(request)
      const measured = { variant, metric, value, ...(unit === undefined ? {} : { unit }) }
      await experiments.record(request.params.name, measured, request.caller)
      return reply.status(204).send(null)
    },
  )
}

/** Names of variants are people's own, and stay as they are. */
function presentExperiment(
  { experimentId: _, isGuarded: __, trafficSplit, variantParams, judgedBy, endedBy, ...rest }: Experiment,
  { isTrusted }: { isTrusted: boolean },
) {
  return {
    ...toSnakeCase(rest),
    state: rest.endedAt ? ('ended' as const) : ('running' as const),
    metric: judgedBy,
    ended_by: isTrusted ? endedBy : endedBy && '',
    traffic_split: trafficSplit,
    variant_params: variantParams,
  }
}

function planOf(body: Static<typeof CreateExperimentBody>) {
  const { metric: judgedBy = null, ends_at: text, sessions_per_variant: sessionsPerVariant = null } = body
  const endsAt = text === undefined ? null : parseTimestamp(text)
  if (text !== undefined && !endsAt) throw new AppError('invalid', 'ends_at', 'ends_at: must be a time in ISO 8601')
  return { judgedBy, endsAt, sessionsPerVariant }
}

function presentResults({ name, state, variants, comparison, judgement }: ExperimentResults) {
  return { name, state, variants, comparison: toSnakeCase(comparison), judgement: judgement && toSnakeCase(judgement) }
}
