import type { TSchema } from 'typebox'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Scope } from '../../kernel/scopes.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { presentTried } from './present.ts'
import type { createVersionReplay } from './replay.ts'
import { ReplayBody, ReplayParams, ReplayRequest, SearchBody, searchRequest } from './schemas.ts'
import type { Playground } from './service.ts'

/** Any of them lets somebody see what is for staff. */
const STAFF_SCOPES: readonly Scope[] = ['agent', 'knowledge']

type VersionReplay = ReturnType<typeof createVersionReplay>

/** @param parameters the tuner's schema of changes */
export function playgroundRoutes(
  app: App,
  { playground, replay, parameters }: { playground: Playground; replay: VersionReplay; parameters: TSchema },
): void {
  replayRoute(app, replay)
  app.post(
    '/api/v1/knowledge/search',
    {
      config: { isChange: false },
      schema: {
        summary: 'What a question finds, what would be answered, and why',
        description:
          'The passages that a customer’s question finds, by the parameters in force or by others, and which of them ' +
          'the reply would give. Nothing is stored. To compare two sets of parameters, ask twice.',
        tags: ['knowledge'],
        body: searchRequest(parameters),
        response: { 200: SearchBody, ...errors(401, 403, 422) },
      },
    },
    async ({ body, caller }) => {
      const { query, top_k: topK, params: changes = {}, audience = 'customers', explain } = body
      if (audience === 'staff' && !STAFF_SCOPES.some((scope) => caller.scopes.has(scope)))
        throw new AppError('forbidden', 'scope', 'Documents for staff need the scope agent or knowledge')
      return presentTried(await playground.search({ query, topK, audience, changes }), explain)
    },
  )
}

function replayRoute(app: App, replay: VersionReplay): void {
  app.post(
    '/api/v1/knowledge/documents/:doc_id/versions/:version/replay',
    {
      config: { isChange: false },
      schema: {
        summary: 'Which questions another version answers otherwise',
        description:
          'Asks the questions of stored test sets, then what customers asked lately, as if each of two versions were ' +
          'served; nothing is stored. At most `limit` questions and twenty seconds: `is_complete` says whether all ' +
          'were asked. 409: the chunks of one version were deleted with the document.',
        tags: ['knowledge'],
        params: ReplayParams,
        body: ReplayRequest,
        response: { 200: ReplayBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body }) => {
      const { against = null, limit } = body
      return toSnakeCase(await replay({ docId: params.doc_id, version: params.version, against, limit }))
    },
  )
}
