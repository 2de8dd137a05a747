import { Readable } from 'node:stream'
import { canDo } from '../../../http/auth.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { AppError } from '../../../kernel/errors.ts'
import { filterOf } from '../filter-schemas.ts'
import { ExportBody, ExportQuery } from './schemas.ts'
import type { Exporting } from './service.ts'

const FILES = {
  csv: { type: 'text/csv; charset=utf-8', name: 'conversations.csv' },
  jsonl: { type: 'application/x-ndjson; charset=utf-8', name: 'conversations.jsonl' },
} as const

export function exportRoute(app: App, { exporting }: { exporting: Exporting }): void {
  app.get(
    '/api/v1/agent/sessions/export',
    {
      // A HEAD would read all of it.
      exposeHeadRoute: false,
      schema: {
        summary: 'Conversations as a file, a line for every message',
        description:
          'Sent as it is read, by the id of the session; a file that was cut off ends without the end of its response. ' +
          'Personal values are masked, whoever wrote them, unless an admin asks for `masked=false`. Cells of CSV that a ' +
          'spreadsheet would run as a formula begin with an apostrophe.',
        tags: ['agent-assist'],
        querystring: ExportQuery,
        produces: ['text/csv', 'application/x-ndjson'],
        response: { 200: ExportBody, ...errors(400, 401, 403, 422) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const isMasked = query.masked ?? true
      if (!isMasked && !canDo(request, 'admin')) {
        throw new AppError('forbidden', 'unmasked', 'masked: only admins may export personal values')
      }
      const format = query.format ?? 'csv'
      const lines = exporting({ filter: filterOf(query), format, isMasked })
      if (!isMasked)
        request.log.info({ caller: request.caller.name }, 'Conversations are exported with personal values')
      const { type, name } = FILES[format]
      reply.header('content-type', type).header('content-disposition', `attachment; filename="${name}"`)
      // Sent as it is, so that no serialiser looks at it.
      return Readable.from(lines) as never
    },
  )
}
