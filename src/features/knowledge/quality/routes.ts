import { noteChange } from '../../../http/changes.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import type { Knowledge } from '../service.ts'
import { AcceptBody, AcceptRequest, QualityBody, QualityRequest } from './schemas.ts'
import type { QualityReport } from './service.ts'

export function qualityRoutes(
  app: App,
  { knowledge }: { knowledge: Pick<Knowledge, 'checkQuality' | 'acceptPair'> },
): void {
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

  app.put(
    '/api/v1/knowledge/quality/accepted',
    {
      schema: {
        summary: 'Accept that two passages are alike or at odds',
        description:
          'Checks leave the pair out, also after their documents were loaded again, until one of them says something else.',
        tags: ['knowledge'],
        body: AcceptRequest,
        response: { 200: AcceptBody, ...errors(401, 404, 422) },
      },
    },
    async (request) => {
      const { a, b, accepted } = request.body
      await knowledge.acceptPair({ a, b }, accepted ? { by: request.caller.name || null } : null)
      noteChange(request, { subject: `passages:${a},${b}`, after: { accepted } })
      return { a, b, accepted }
    },
  )
}

/** Chunks of a report are stored ones, so they have their ids. */
function presentQuality({ duplicates, terms, sensitiveHits, conflicts, texts, ...report }: QualityReport) {
  return {
    ...toSnakeCase(report),
    duplicates: duplicates.map(({ chunk, duplicateOf, similarity }) => ({
      chunk_id: chunk.chunkId ?? 0,
      duplicate_of: duplicateOf.chunkId ?? 0,
      source: chunk.source,
      other_source: duplicateOf.source,
      doc_id: chunk.docId,
      other_doc_id: duplicateOf.docId,
      text: texts.get(chunk.chunkId ?? 0) ?? '',
      other_text: texts.get(duplicateOf.chunkId ?? 0) ?? '',
      similarity,
    })),
    terminology: terms,
    sensitive_hits: sensitiveHits.map(({ chunk: { chunkId, docId, source }, ...hit }) => {
      return { chunk_id: chunkId ?? 0, doc_id: docId, source, ...hit }
    }),
    conflicts: conflicts.map(({ a, b, ...conflict }) => {
      const ids = { a: a.chunkId ?? 0, b: b.chunkId ?? 0, doc_id_a: a.docId, doc_id_b: b.docId }
      return { ...ids, ...toSnakeCase(conflict), source_a: a.source, source_b: b.source }
    }),
  }
}
