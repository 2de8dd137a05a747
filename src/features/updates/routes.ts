import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { parseTimestamp } from '../../kernel/time.ts'
import { presentFile, presentResult, presentStatus } from './present.ts'
import { FileRequest, FileUpdateBody, FolderRequest, StatusBody, UpdateBody } from './schemas.ts'
import type { Overrides, Updates } from './service.ts'

const tags = ['updates']
const failures = errors(400, 401, 409, 422, 503)

export function updateRoutes(app: App, { updates }: { updates: Updates }): void {
  // Before running requests are waited for: an update would keep the service from ending for minutes.
  app.addHook('preClose', () => updates.close())

  app.post(
    '/api/v1/update/full',
    {
      schema: {
        summary: 'Make the knowledge base agree with a folder',
        description:
          'Takes in new and changed files, and deletes documents that came from this folder and whose files are gone: ' +
          'all of them when the folder was emptied. Nothing is deleted when the folder is missing or cannot be read.',
        tags,
        body: FolderRequest,
        response: { 200: UpdateBody, ...failures },
      },
    },
    async ({ body }) => presentResult(await updates.folder('full', body.dir_path, body.extensions ?? [])),
  )

  app.post(
    '/api/v1/update/incremental',
    {
      schema: {
        summary: 'Take in the new and changed files of a folder',
        tags,
        body: FolderRequest,
        response: { 200: UpdateBody, ...failures },
      },
    },
    async ({ body }) => presentResult(await updates.folder('incremental', body.dir_path, body.extensions ?? [])),
  )

  app.post(
    '/api/v1/update/file',
    {
      schema: {
        summary: 'Take in one file',
        tags,
        body: FileRequest,
        response: { 200: FileUpdateBody, ...failures },
      },
    },
    async ({ body }) => presentFile(await updates.file(body.file_path, overridesOf(body.metadata ?? {}))),
  )

  app.get(
    '/api/v1/update/status',
    {
      schema: {
        summary: 'The last update, and how far a running one is',
        tags,
        response: { 200: StatusBody, ...errors(401) },
      },
    },
    async () => presentStatus(await updates.status()),
  )
}

interface Metadata {
  source?: string
  knowledge_type?: string
  product_category?: string
  applicable_version?: string
  published_at?: string
}

function overridesOf({
  source,
  knowledge_type,
  product_category,
  applicable_version,
  published_at,
}: Metadata): Overrides {
  return {
    ...(source === undefined ? {} : { source }),
    ...(knowledge_type === undefined ? {} : { knowledgeType: knowledge_type }),
    ...(product_category === undefined ? {} : { productCategory: product_category }),
    ...(applicable_version === undefined ? {} : { applicableVersion: applicable_version }),
    ...(published_at === undefined ? {} : { publishedAt: publishedAt(published_at) }),
  }
}

function publishedAt(text: string): Date {
  const date = parseTimestamp(text)
  if (!date) throw new AppError('invalid', 'validation', 'metadata.published_at: must be an ISO 8601 date or time')
  return date
}
