import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { DEFAULTS, DEFINITIONS, PARAMETER_NAMES } from './parameters.ts'
import { HistoryBody, HistoryQuery, TunerBody, TunerChanges } from './schemas.ts'
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
    async ({ body }) => present(await tuner.update(body)),
  )

  app.post(
    '/api/v1/tuner/reset',
    { schema: { summary: 'Set every parameter to its default', tags, response: { 200: TunerBody, ...errors(401) } } },
    async () => present(await tuner.reset()),
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
    async ({ query }) => ({
      items: (await tuner.history(query.limit)).map(({ version, action, changes, updatedAt }) => ({
        version,
        action,
        changes,
        created_at: updatedAt.toISOString(),
      })),
    }),
  )
}

function present({ params, version, updatedAt }: TunerView) {
  const ranges = PARAMETER_NAMES.map((name) => {
    const { min, max, integer, description } = DEFINITIONS[name]
    return [name, { min, max, integer, description }]
  })
  return {
    params,
    defaults: DEFAULTS,
    ranges: Object.fromEntries(ranges),
    version,
    updated_at: updatedAt.toISOString(),
  }
}
