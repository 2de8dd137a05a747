import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import type { Knowledge } from '../service.ts'
import { QualityBody, QualityRequest } from './schemas.ts'
import type { QualityReport } from './service.ts'

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

/** Chunks of a report are stored ones, so they have their ids. */
function presentQuality({ duplicates, terms, sensitiveHits, conflicts, ...report }: QualityReport) {
  return {
    ...toSnakeCase(report),
    duplicates: duplicates.map(({ chunk, duplicateOf, similarity }) => ({
      chunk_id: chunk.chunkId ?? 0,
      duplicate_of: duplicateOf.chunkId ?? 0,
      source: chunk.source,
      other_source: duplicateOf.source,
      similarity,
    })),
    terminology: terms,
    sensitive_hits: sensitiveHits.map(({ chunk: { chunkId, source }, ...hit }) => {
      return { chunk_id: chunkId ?? 0, source, ...hit }
    }),
    conflicts: conflicts.map(({ a, b, ...conflict }) => {
      return { a: a.chunkId ?? 0, b: b.chunkId ?? 0, ...toSnakeCase(conflict), source_a: a.source, source_b: b.source }
    }),
  }
}
