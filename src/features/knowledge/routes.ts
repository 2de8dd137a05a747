import { noteChange } from '../../http/changes.ts'
import { acceptUploads, checkedByHandler, readForm } from '../../http/multipart.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { publicUrl } from '../../kernel/public-url.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { ingestBatchRoutes } from './ingest/batch-routes.ts'
import { toIngestRequest } from './ingest/form.ts'
import { qualityRoutes } from './quality/routes.ts'
import {
  AmendBody,
  AmendedBody,
  ArchivedBody,
  DeleteBody,
  DetailBody,
  DocParams,
  IngestForm,
  IngestResultBody,
  ListBody,
  ListQuery,
  RegisteredBody,
  StatsBody,
} from './schemas.ts'
import type { Knowledge } from './service.ts'
import { readingRoutes } from './versions/reading-routes.ts'
import { versionRoutes } from './versions/routes.ts'

const tags = ['knowledge']

export async function knowledgeRoutes(
  app: App,
  { knowledge, maxUploadMb }: { knowledge: Knowledge; maxUploadMb: number },
): Promise<void> {
  await acceptUploads(app, maxUploadMb)
  versionRoutes(app, { knowledge })
  readingRoutes(app, { knowledge })
  qualityRoutes(app, { knowledge })
  ingestRoutes(app, { knowledge, maxUploadMb })
  ingestBatchRoutes(app, { knowledge, maxUploadMb })
  documentRoutes(app, { knowledge })
  amendRoutes(app, { knowledge })
}

function ingestRoutes(app: App, { knowledge, maxUploadMb }: { knowledge: Knowledge; maxUploadMb: number }): void {
  app.post(
    '/api/v1/knowledge/ingest',
    {
      schema: {
        summary: 'Upload a document',
        description:
          `A registered document keeps its versions. Up to ${maxUploadMb} MiB. With \`validate_quality\` the upload is ` +
          'checked against the base: findings stand in `errors`, and sensitive words make `status` `rejected`.',
        tags,
        consumes: ['multipart/form-data'],
        body: IngestForm,
        response: { 200: IngestResultBody, ...errors(400, 401, 413, 415, 422, 503) },
      },
      validatorCompiler: checkedByHandler,
    },
    async (request) => toSnakeCase(await knowledge.ingest(toIngestRequest(await readForm(request)))),
  )

  app.get(
    '/api/v1/knowledge/stats',
    { schema: { summary: 'What the knowledge base holds', tags, response: { 200: StatsBody, ...errors(401) } } },
    async () => {
      const { chunks, documents, dimensions, revision, originalBytes, categories, languages, rebuild } =
        await knowledge.stats()
      return {
        total_chunks: chunks,
        total_documents: documents,
        collection_name: 'main',
        embedding_dim: dimensions,
        knowledge_version: revision,
        original_bytes: originalBytes,
        categories,
        languages,
        rebuild,
      }
    },
  )
}

function documentRoutes(app: App, { knowledge }: { knowledge: Knowledge }): void {
  app.get(
    '/api/v1/knowledge/documents',
    {
      schema: {
        summary: 'List registered documents, or with `registered=false` the others',
        tags,
        querystring: ListQuery,
        response: { 200: ListBody, ...errors(401, 422) },
      },
    },
    async ({ query }) => {
      const { q = null, status = null, audience = null, knowledge_type: knowledgeType = null } = query
      const { product_category: category = null, language = null } = query
      const { registered, sort: order, limit, offset } = query
      const filter = { q, status, audience, knowledgeType, category, language, registered, order }
      const { items, total } = await knowledge.list({ ...filter, limit, offset })
      return { items: toSnakeCase(items), total, limit, offset }
    },
  )

  app.get(
    '/api/v1/knowledge/documents/:doc_id',
    {
      schema: {
        summary: 'A document and its versions',
        description: 'An unknown document is 200 with `status` `not_found`.',
        tags,
        params: DocParams,
        response: { 200: DetailBody, ...errors(401, 422) },
      },
    },
    async ({ params }) => {
      const found = await knowledge.detail(params.doc_id)
      if (found) return toSnakeCase(found)
      const nothing = { source: '', current_version: '', created_at: null, updated_at: null, versions: [] }
      return { doc_id: params.doc_id, status: 'not_found', ...nothing }
    },
  )

  takeOutRoutes(app, { knowledge })
}

/** Documents that are served no more: kept, or gone. */
function takeOutRoutes(app: App, { knowledge }: { knowledge: Knowledge }): void {
  app.post(
    '/api/v1/knowledge/documents/:doc_id/archive',
    {
      schema: {
        summary: 'Take a document out of use and keep it',
        description:
          'Nobody finds it, at once; updates of folders and imports of websites leave it alone. A rollback to one of its ' +
          'versions, or loading its file again, brings it back. Again is harmless. 409: it is deleted.',
        tags,
        params: DocParams,
        response: { 200: ArchivedBody, ...errors(401, 404, 409, 422) },
      },
    },
    async (request) => {
      const { doc_id: docId } = request.params
      const archived = await knowledge.archive(docId)
      noteChange(request, { subject: `document:${docId}`, after: { status: 'archived' } })
      return toSnakeCase(archived)
    },
  )

  app.delete(
    '/api/v1/knowledge/documents/:doc_id',
    {
      schema: {
        summary: 'Delete all chunks of a document, registered or not',
        tags,
        params: DocParams,
        response: { 200: DeleteBody, ...errors(401, 404, 422) },
      },
    },
    async ({ params }) => {
      return { doc_id: params.doc_id, ...toSnakeCase(await knowledge.remove(params.doc_id)), success: true }
    },
  )
}

/** Changes of a document without its file. */
function amendRoutes(app: App, { knowledge }: { knowledge: Knowledge }): void {
  app.put(
    '/api/v1/knowledge/documents/:doc_id',
    {
      schema: {
        summary: 'Change whom a document is for, its title, address, type or category',
        description:
          'At once, all that is named or nothing. Documents for `staff` are found by people who answer customers and in ' +
          'no reply to a customer. 409: nothing of it is served of which anything but the audience could be changed.',
        tags,
        params: DocParams,
        body: AmendBody,
        response: { 200: AmendedBody, ...errors(401, 404, 409, 422) },
      },
    },
    async (request) => {
      const { params, body } = request
      const url = body.url === undefined ? undefined : addressOf(body.url)
      const title = body.title?.trim()
      const { audience, knowledge_type: knowledgeType, product_category: category } = body
      const productCategory = category === undefined ? undefined : category.trim() || 'unknown'
      const amendment = { audience, title, url, knowledgeType, productCategory }
      const { before, after } = await knowledge.amend(params.doc_id, amendment)
      noteChange(request, {
        subject: `document:${params.doc_id}`,
        before: toSnakeCase(before),
        after: toSnakeCase(after),
      })
      return toSnakeCase(after)
    },
  )

  app.post(
    '/api/v1/knowledge/documents/:doc_id/register',
    {
      schema: {
        summary: 'Register a document that was uploaded without it',
        description: 'It stays as it is and keeps its versions from now on. Again is harmless.',
        tags,
        params: DocParams,
        response: { 200: RegisteredBody, ...errors(401, 404, 422) },
      },
    },
    async (request) => {
      const registered = await knowledge.register(request.params.doc_id)
      noteChange(request, { subject: `document:${request.params.doc_id}`, after: { registered: true } })
      return toSnakeCase(registered)
    },
  )
}

/** Null: nowhere. */
function addressOf(text: string): string | null {
  if (text.trim() === '') return null
  const url = publicUrl(text)
  if (!url) throw new AppError('invalid', 'validation', 'url: must be an http or https address')
  return url
}
