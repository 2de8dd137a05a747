import type { FastifyRequest } from 'fastify'
import { noteChange } from '../../http/changes.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import type { AutoTuner, FoundReport } from './auto.ts'
import { DEFAULTS, DEFINITIONS } from './parameters.ts'
import {
  AutoBody,
  AutoRequest,
  AutoStatusBody,
  HistoryBody,
  HistoryQuery,
  SearchParams,
  TunerBody,
  TunerChanges,
} from './schemas.ts'
import type { Tuner, TunerView } from './service.ts'

const tags = ['tuner']

export function tunerRoutes(app: App, { tuner }: { tuner: Tuner }): void {
  app.get(
    '/api/v1/tuner/params',
    {
      schema: {
        summary: 'Parameters in force, their defaults and ranges',
        tags,
        response: { 200: TunerBody, ...errors(401) },
      },
    },
    async () => present(tuner.current()),
  )

  app.put(
    '/api/v1/tuner/params',
    {
      schema: {
        summary: 'Change any subset of the parameters',
        description: 'Takes effect at once on every replica. One wrong name or value and nothing changes.',
        tags,
        body: TunerChanges,
        response: { 200: TunerBody, ...errors(401, 422) },
      },
      // Types and ranges are the service's to check: it knows how parameters depend on each other.
      validatorCompiler: () => (body) =>
        typeof body === 'object' && body !== null && !Array.isArray(body)
          ? { value: body }
          : { error: new AppError('invalid', 'validation', 'body: must be an object of parameters') },
    },
    async (request) => {
      const before = tuner.current()
      return noted(request, before, await tuner.update(request.body))
    },
  )

  app.post(
    '/api/v1/tuner/reset',
    { schema: { summary: 'Set every parameter to its default', tags, response: { 200: TunerBody, ...errors(401) } } },
    async (request) => noted(request, tuner.current(), await tuner.reset()),
  )

  app.get(
    '/api/v1/tuner/history',
    {
      schema: {
        summary: 'Changes of the parameters, newest first',
        tags,
        querystring: HistoryQuery,
        response: { 200: HistoryBody, ...errors(401, 422) },
      },
    },
    async ({ query }) => ({ items: toSnakeCase(await tuner.history(query.limit)) }),
  )
}

export function autoRoutes(
  app: App,
  { auto }: { auto: Pick<AutoTuner, 'start' | 'running' | 'latest' | 'found'> },
): void {
  searchRoute(app, auto)
  app.post(
    '/api/v1/tuner/auto',
    {
      schema: {
        summary: 'Search for better parameters',
        description:
          'Tries parameters on six tenths of a test set and proves the best on the rest. Applied only with `apply`, and ' +
          'only when the interval of the difference on the rest lies above 0. One search at a time. Answers 202 once it ' +
          'runs; GET shows how far it is and what it found. With `wait` it answers 200 with what it found.',
        tags,
        body: AutoRequest,
        response: { 200: AutoBody, 202: AutoStatusBody, ...errors(400, 401, 404, 409, 422, 503) },
      },
    },
    async ({ body }, reply) => {
      const { testset_path: path, testset: name, apply, budget, seed } = body
      const request = { path: path || undefined, name: name || undefined, apply, budget, seed }
      const { ended } = await auto.start(request, app.closing)
      if (body.wait) return presentAuto(await ended)
      reply.code(202)
      return presentStatus(auto)
    },
  )

  app.get(
    '/api/v1/tuner/auto',
    {
      schema: {
        summary: 'How far a search is, and what the last one found',
        tags,
        response: { 200: AutoStatusBody, ...errors(401, 503) },
      },
    },
    () => presentStatus(auto),
  )
}

function searchRoute(app: App, auto: Pick<AutoTuner, 'found'>): void {
  app.get(
    '/api/v1/tuner/searches/:search_id',
    {
      schema: {
        summary: 'What a search for better parameters found',
        description: 'Of the last 50.',
        tags,
        params: SearchParams,
        response: { 200: AutoBody, ...errors(401, 403, 404, 422, 503) },
      },
    },
    async ({ params }) => presentAuto(await auto.found(params.search_id)),
  )
}

async function presentStatus(auto: Pick<AutoTuner, 'running' | 'latest'>) {
  const [running, last] = [await auto.running(), await auto.latest()]
  return {
    running: running && {
      testset: running.subject,
      done: running.done,
      total: running.total,
      started_at: running.startedAt.toISOString(),
    },
    last: last && presentAuto(last),
  }
}

function presentAuto(report: FoundReport) {
  return { ...toSnakeCase(report), candidates_tried: report.candidates.length }
}

function noted(request: FastifyRequest, before: TunerView, after: TunerView) {
  noteChange(request, { subject: 'parameters', before: { ...before.params }, after: { ...after.params } })
  return present(after)
}

function present({ params, version, updatedAt }: TunerView) {
  return { params, defaults: DEFAULTS, ranges: DEFINITIONS, version, updated_at: updatedAt.toISOString() }
}
