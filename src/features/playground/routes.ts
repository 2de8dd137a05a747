import type { TSchema } from 'typebox'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { presentTried } from './present.ts'
import { SearchBody, searchRequest } from './schemas.ts'
import type { Playground } from './service.ts'

/** @param parameters the tuner's schema of changes */
export function playgroundRoutes(
  app: App,
  { playground, parameters }: { playground: Playground; parameters: TSchema },
): void {
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
        response: { 200: SearchBody, ...errors(401, 422) },
      },
    },
    async ({ body }) => {
      const { query, top_k: topK, params: changes = {}, explain } = body
      return presentTried(await playground.search({ query, topK, changes }), explain)
    },
  )
}
