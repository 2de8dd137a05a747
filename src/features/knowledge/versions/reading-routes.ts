import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import { DocParams } from '../schemas.ts'
import type { Knowledge } from '../service.ts'
import { attachment, mediaTypeOf } from './originals.ts'
import {
  ChunksBody,
  ChunksQuery,
  DiffBody,
  DiffQuery,
  VersionParams,
  VersionsBody,
  VersionsQuery,
} from './reading-schemas.ts'

const tags = ['knowledge']
const VERSION = '/api/v1/knowledge/documents/:doc_id/versions/:version'

/** Versions looked at: a list, passages, what differs, the file. */
export function readingRoutes(app: App, { knowledge }: { knowledge: Pick<Knowledge, 'reading'> }): void {
  const { reading } = knowledge
  app.get(
    '/api/v1/knowledge/documents/:doc_id/versions',
    {
      schema: {
        summary: 'Versions of a document, newest first',
        tags,
        params: DocParams,
        querystring: VersionsQuery,
        response: { 200: VersionsBody, ...errors(401, 404, 422) },
      },
    },
    async ({ params, query }) => {
      const page = { before: query.before ?? null, limit: query.limit }
      const versions = await reading.list(params.doc_id, page)
      const items = versions.map(({ versionNo, fileName, fileSize, url, ...version }) => ({
        ...toSnakeCase({ version: `v${versionNo}`, ...version }),
        url: url ?? null,
        file: fileName === null ? null : { name: fileName, size: fileSize ?? 0 },
      }))
      const last = versions.length === query.limit ? versions.at(-1) : undefined
      return { doc_id: params.doc_id, items, next_before: last ? `v${last.versionNo}` : null }
    },
  )

  app.get(
    `${VERSION}/chunks`,
    {
      schema: {
        summary: 'Passages of a version in their order',
        tags,
        params: VersionParams,
        querystring: ChunksQuery,
        response: { 200: ChunksBody, ...errors(401, 404, 422) },
      },
    },
    async ({ params, query }) => {
      const page = { after: query.after ?? -1, limit: query.limit }
      const { passages, total, version } = await reading.passages(params.doc_id, params.version, page)
      const items = passages.map(({ chunkId, ordinal, kind, title, headingPath, question, content, page: number }) => {
        return toSnakeCase({ chunkId, ordinal, kind, title, headingPath, question, content, page: number })
      })
      const last = passages.length === query.limit ? passages.at(-1) : undefined
      return { doc_id: params.doc_id, version, total, items, next_after: last?.ordinal ?? null }
    },
  )
  diffRoute(app, reading)
  fileRoute(app, reading)
}

function diffRoute(app: App, reading: Knowledge['reading']): void {
  app.get(
    `${VERSION}/diff`,
    {
      schema: {
        summary: 'What changed from one version to another',
        description:
          'By lines, and by words within changed lines. 409: the chunks of one were deleted with the document.',
        tags,
        params: VersionParams,
        querystring: DiffQuery,
        response: { 200: DiffBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, query }) => toSnakeCase(await reading.diff(params.doc_id, params.version, query.against ?? null)),
  )
}

function fileRoute(app: App, reading: Knowledge['reading']): void {
  app.get(
    `${VERSION}/file`,
    {
      schema: {
        summary: 'The file that a version was read from',
        description: 'As it was uploaded, to be saved. 404 also where it is not kept (`ORIGINALS_MAX_MB`).',
        tags,
        produces: ['application/octet-stream'],
        params: VersionParams,
        response: {
          200: Type.Unsafe<unknown>({
            type: 'string',
            format: 'binary',
            description: 'The file',
            examples: ['# Returns'],
          }),
          ...errors(401, 404, 422),
        },
      },
    },
    async ({ params }, reply) => {
      const { fileName, bytes } = await reading.original(params.doc_id, params.version)
      reply.header('content-disposition', attachment(fileName)).header('cache-control', 'private, no-store')
      return (reply as FastifyReply).type(mediaTypeOf(fileName)).send(Buffer.from(bytes))
    },
  )
}
