import { Type } from 'typebox'
import { choice, nullable, Timestamp } from '../../http/schemas.ts'

const Path = (description: string) => Type.String({ minLength: 1, maxLength: 4_096, description })

export const FolderRequest = Type.Object({
  dir_path: Path('Folder on the machine that Frontdesk runs on; see the setting FILE_ROOTS'),
  extensions: Type.Optional(
    Type.Array(Type.String({ maxLength: 20 }), {
      maxItems: 100,
      description: 'Only files with these; case makes no difference. Default: all formats that can be read',
      examples: [['.md', '.pdf']],
    }),
  ),
  url_prefix: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'Address under which people read the folder: a document is at its path below it, without extension',
      examples: ['https://help.example/docs/'],
    }),
  ),
})

const Mode = choice(['full', 'incremental'])

/** A request for a run that is not waited for. */
export const StartRequest = Type.Object({
  mode: Type.Enum(['full', 'incremental'], { description: '`full` also deletes documents whose files are gone' }),
  ...FolderRequest.properties,
})

export const ReportParams = Type.Object({ report_id: Type.String({ maxLength: 100 }) })

const ShortText = Type.String({ minLength: 1, maxLength: 200 })

export const FileRequest = Type.Object({
  file_path: Path('Absolute path on the machine that Frontdesk runs on'),
  metadata: Type.Optional(
    Type.Object(
      {
        source: Type.Optional(
          Type.String({
            maxLength: 500,
            description: 'What the document is called where it is shown; it stays the document of its file',
            examples: ['guides/returns.md'],
          }),
        ),
        knowledge_type: Type.Optional(Type.Enum(['faq', 'policy', 'doc', 'tutorial', 'ticket'])),
        product_category: Type.Optional(ShortText),
        applicable_version: Type.Optional(ShortText),
        audience: Type.Optional(Type.Enum(['customers', 'staff'], { description: 'Whom it is for' })),
        published_at: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601' })),
        url: Type.Optional(Type.String({ maxLength: 2_000, description: 'Where people can read it; empty: nowhere' })),
      },
      { description: 'Overrides what is known of the document; the rest stays as it was' },
    ),
  ),
})

const counts = {
  scanned: Type.Integer(),
  added: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer({ description: 'Unchanged since they were taken in' }),
  deleted: Type.Integer(),
  failed: Type.Integer(),
  duration_seconds: Type.Number(),
  errors: Type.Array(Type.String()),
}

const Outcome = {
  path: Type.String(),
  doc_id: Type.String(),
  version: nullable(Type.String()),
}

const result = {
  mode: Mode,
  ...counts,
  files: Type.Array(
    Type.Object({
      ...Outcome,
      status: choice(['added', 'updated', 'deleted', 'failed']),
      error: nullable(Type.String()),
    }),
    { description: 'Those that were not skipped, the first 10,000' },
  ),
}

export const UpdateBody = Type.Object(result)

export const FileUpdateBody = Type.Object({
  ...result,
  ...Outcome,
  status: choice(['added', 'updated', 'skipped']),
})

export const ReportBody = Type.Object({
  ...{ mode: Mode, ...counts, path: Type.String(), started_at: Timestamp, finished_at: Timestamp },
})

export const StatusBody = Type.Object({
  last_update: Type.Union([ReportBody, Type.Object({})], { description: 'Empty when no update has run' }),
  running: nullable(
    Type.Object({
      mode: Mode,
      path: Type.String(),
      processed: Type.Integer(),
      total: Type.Integer(),
      started_at: Timestamp,
    }),
  ),
  message: Type.String(),
})
