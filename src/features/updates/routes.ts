import type { Static } from 'typebox'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { publicUrl } from '../../kernel/public-url.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { parseTimestamp } from '../../kernel/time.ts'
import {
  FileRequest,
  FileUpdateBody,
  FolderRequest,
  ReportBody,
  ReportParams,
  StatusBody,
  UpdateBody,
} from './schemas.ts'
import type { Overrides, Updates } from './service.ts'
import type { UpdateMode } from './types.ts'

const tags = ['updates']
const failures = errors(400, 401, 409, 422, 503)

export function updateRoutes(app: App, { updates }: { updates: Updates }): void {
  // Before running requests are waited for: an update would keep the service from ending for minutes.
  app.addHook('preClose', () => updates.close())

  const folderRoute = (mode: UpdateMode, summary: string, description?: string) =>
    app.post(
      `/api/v1/update/${mode}`,
      {
        schema: {
          summary,
          ...(description && { description }),
          tags,
          body: FolderRequest,
          response: { 200: UpdateBody, ...failures },
        },
      },
      async ({ body }) => toSnakeCase(await updates.folder(mode, folderAsked(body))),
    )
  folderRoute(
    'full',
    'Make the knowledge base agree with a folder',
    'Takes in new and changed files, and deletes documents that came from this folder and whose files are gone: ' +
      'all of them when the folder was emptied. Nothing is deleted when the folder is missing or cannot be read.',
  )
  folderRoute('incremental', 'Take in the new and changed files of a folder')
  reportRoute(app, updates)

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
    async ({ body }) => toSnakeCase(await updates.file(body.file_path, overridesOf(body.metadata))),
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
    async () => {
      const { last, running } = await updates.status()
      return {
        last_update: toSnakeCase(last ?? {}),
        running: toSnakeCase(running),
        message: describe({ last, running }),
      }
    },
  )
}

function reportRoute(app: App, updates: Pick<Updates, 'report'>): void {
  app.get(
    '/api/v1/update/reports/:report_id',
    {
      schema: {
        summary: 'What became of an update',
        description: 'Of the last 100; the first 20 errors.',
        tags,
        params: ReportParams,
        response: { 200: ReportBody, ...errors(401, 403, 404, 422, 503) },
      },
    },
    async ({ params }) => toSnakeCase(await updates.report(params.report_id)),
  )
}

/** Throws invalid for an address that is none. */
export function folderAsked({ dir_path: path, extensions = [], url_prefix: prefix }: Static<typeof FolderRequest>) {
  return { path, extensions, urlPrefix: prefix === undefined ? null : addressOf('url_prefix', prefix) }
}

function describe({ last, running }: Awaited<ReturnType<Updates['status']>>): string {
  if (running) return `An update is running: ${running.processed} of ${running.total} files`
  if (!last) return 'No update has run yet'
  const failures = last.failed > 0 ? `, ${last.failed} files failed` : ''
  return `The last update finished at ${last.finishedAt.toISOString()}${failures}`
}

function overridesOf(given: Static<typeof FileRequest>['metadata'] = {}): Overrides {
  const {
    source,
    knowledge_type: knowledgeType,
    product_category: productCategory,
    applicable_version,
    published_at,
    url,
    audience,
  } = given
  const overrides = {
    ...{ source, audience, knowledgeType, productCategory, applicableVersion: applicable_version },
    url: url === undefined ? undefined : url.trim() === '' ? null : addressOf('metadata.url', url),
    publishedAt: published_at === undefined ? undefined : publishedAt(published_at),
  }
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined))
}

function addressOf(field: string, text: string): string {
  const url = publicUrl(text)
  if (!url) throw new AppError('invalid', 'validation', `${field}: must be an http or https address`)
  return url
}

function publishedAt(text: string): Date {
  const date = parseTimestamp(text)
  if (!date) throw new AppError('invalid', 'validation', 'metadata.published_at: must be an ISO 8601 date or time')
  return date
}
