import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { presentQuality } from './present.ts'
import { QualityBody, QualityRequest } from './quality-schemas.ts'
import type { Knowledge } from './service.ts'

export function qualityRoutes(app: App, { knowledge }: { knowledge: Pick<Knowledge, 'checkQuality'> }): void {
  app.post(
    '/api/v1/knowledge/quality/check',
    {
      schema: {
        summary: 'Check what customers can find',
        description:
          'Near duplicates, terms of the glossary, sensitive words, and passages of different documents that ' +
          'contradict each other. With `source` or `doc_id`: those documents, against everything else.',
        tags: ['knowledge'],
        body: QualityRequest,
        response: { 200: QualityBody, ...errors(401, 422, 503) },
      },
    },
    async ({ body }) =>
      presentQuality(await knowledge.checkQuality({ source: body.source || null, docId: body.doc_id || null })),
  )
}
