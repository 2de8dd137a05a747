import { Readable } from 'node:stream'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { CustomerParams, EraseQuery, ErasureBody, ErasuresBody, ErasuresQuery, ExportBody } from './schemas.ts'
import type { Privacy } from './service.ts'
import { ERASED_KINDS, type Erasure } from './types.ts'

const tags = ['customers']

/** Everything known of a customer: shown, and erased. */
export function privacyRoutes(
  app: App,
  { privacy }: { privacy: Pick<Privacy, 'erase' | 'export' | 'erasures'> },
): void {
  app.delete(
    '/api/v1/customers/:user_id',
    {
      schema: {
        summary: 'Erase what is known of a customer',
        description:
          'Conversations on every channel with all that was made of them, and the imported account and orders. Answers ' +
          'when everything is gone. Again is harmless: nothing is left to erase. Cut off, it goes on by itself.',
        tags,
        params: CustomerParams,
        querystring: EraseQuery,
        response: { 200: ErasureBody, ...errors(401, 422, 503) },
      },
    },
    async (request) => {
      const { user_id: userId } = request.params
      return presentErasure(
        await privacy.erase({ userId, records: request.query.records, caller: request.caller.name ?? '' }),
      )
    },
  )

  app.get(
    '/api/v1/customers/:user_id/export',
    {
      schema: {
        summary: 'Everything that is known of a customer',
        description: 'One JSON object, sent as it is read. Arrays are empty where nothing is known.',
        tags,
        params: CustomerParams,
        response: { 200: ExportBody, ...errors(401, 422, 503) },
      },
    },
    async (request, reply) => {
      const name = 'attachment; filename="customer.json"'
      reply.header('content-type', 'application/json; charset=utf-8').header('content-disposition', name)
      // Sent as it is, so that no serialiser looks at it.
      return Readable.from(privacy.export(request.params.user_id)) as never
    },
  )

  app.get(
    '/api/v1/customers/erasures',
    {
      schema: {
        summary: 'Erasures so far, the newest first',
        description: 'Customers are named by a digest alone, so that the record of an erasure is none of the customer.',
        tags,
        querystring: ErasuresQuery,
        response: { 200: ErasuresBody, ...errors(401, 422, 503) },
      },
    },
    async ({ query: { limit, offset, user_id: userId } }) => {
      const { items, total } = await privacy.erasures({ limit, offset, userId })
      return { items: items.map(presentErasure), total, limit, offset }
    },
  )
}

function presentErasure({ userId: _, counts, erasesRecords: records, caller, ...erasure }: Erasure) {
  const erased = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, counts[kind] ?? 0]))
  return { ...toSnakeCase(erasure), records, requested_by: caller, erased }
}
