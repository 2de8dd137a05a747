import { Type } from 'typebox'
import { demandKey, open } from '../../http/auth.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import type { DashboardReader } from './dashboard.ts'
import type { Experiments } from './experiments.ts'
import type { ReleaseReport } from './release-checklist.ts'
import type { ExperimentResults } from './results.ts'
import {
  AssignmentBody,
  AssignmentQuery,
  ChecklistBody,
  CreateExperimentBody,
  DashboardBody,
  DashboardQuery,
  ExperimentBody,
  ExperimentParams,
  ExperimentsBody,
  MetricBody,
  ResultsBody,
} from './schemas.ts'
import type { Experiment } from './types.ts'

const tags = ['operations']

export interface Operations {
  experiments: Experiments
  dashboard: DashboardReader
  releaseChecklist: () => Promise<ReleaseReport>
}

export function operationsRoutes(app: App, { operations }: { operations: Operations }): void {
  experimentRoutes(app, operations.experiments)
  endingRoutes(app, operations.experiments)
  metricRoutes(app, operations.experiments)

  app.get(
    '/api/v1/operations/dashboard',
    {
      config: open,
      schema: {
        summary: 'How the service does, at most 30 seconds old',
        tags,
        querystring: DashboardQuery,
        response: { 200: DashboardBody, ...errors(422, 503) },
      },
    },
    async ({ query }) => {
      const dashboard = await operations.dashboard.read({ forceRefresh: query.force_refresh })
      return {
        total_sessions: dashboard.totalSessions,
        escalation_rate: dashboard.escalationRate,
        resolution_rate: dashboard.resolutionRate,
        avg_response_time_ms: dashboard.avgResponseTimeMs,
        hot_questions: dashboard.hotQuestions,
        collected_at: dashboard.collectedAt.toISOString(),
      }
    },
  )

  app.get(
    '/api/v1/operations/release-checklist',
    {
      config: open,
      schema: {
        summary: 'What must be right before customers come',
        description: 'Every check really checks, by itself and within five seconds.',
        tags,
        response: { 200: ChecklistBody },
      },
    },
    () => operations.releaseChecklist(),
  )
}

function experimentRoutes(app: App, experiments: Experiments): void {
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
        response: { 201: ExperimentBody, ...errors(401, 422, 503) },
      },
    },
    async (request, reply) => {
      const { body, caller } = request
      const variantParams = body.variant_params ?? {}
      if (Object.keys(variantParams).length > 0) demandKey(request)
      const { name, description = '', variants, traffic_split: trafficSplit } = body
      const experiment = await experiments.create({ name, description, variants, trafficSplit, variantParams }, caller)
      request.log.info({ experiment: experiment.experimentId, isTrusted: caller.isTrusted }, 'An experiment was made')
      return reply.status(201).send(presentExperiment(experiment))
    },
  )

  app.get(
    '/api/v1/operations/experiments',
    { config: open, schema: { summary: 'All experiments', tags, response: { 200: ExperimentsBody, ...errors(503) } } },
    async ({ caller }) => {
      const all = await experiments.list(caller)
      return all.map((each) => ({ ...presentExperiment(each), samples: each.samples }))
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
        response: { 200: ExperimentBody, ...errors(404) },
      },
    },
    async (request) => {
      const experiment = await experiments.end(request.params.name)
      request.log.info({ experiment: experiment.experimentId }, 'An experiment was ended')
      return presentExperiment(experiment)
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

function presentExperiment(experiment: Experiment) {
  return {
    name: experiment.name,
    description: experiment.description,
    variants: experiment.variants,
    traffic_split: experiment.trafficSplit,
    variant_params: experiment.variantParams,
    created_at: experiment.createdAt.toISOString(),
    ended_at: experiment.endedAt?.toISOString() ?? null,
  }
}

function presentResults({ name, variants, comparison }: ExperimentResults) {
  return {
    name,
    variants,
    comparison: comparison.map(({ pValue, ...rest }) => ({ ...rest, p_value: pValue })),
  }
}
