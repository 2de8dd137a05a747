import { acceptUploads, checkedByHandler, readForm, type UploadedForm } from '../../http/multipart.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { IMPORT_KINDS, ImportForm, ImportResult } from './schemas.ts'
import type { Business } from './service.ts'

export async function businessRoutes(
  app: App,
  { business, maxUploadMb }: { business: Pick<Business, 'importRecords'>; maxUploadMb: number },
): Promise<void> {
  await acceptUploads(app, maxUploadMb)

  app.post(
    '/api/v1/business/import',
    {
      schema: {
        summary: 'Load customers or orders into the embedded records',
        description: 'Only `user_id` or `order_id` is required of a row; a known id is replaced.',
        tags: ['business'],
        consumes: ['multipart/form-data'],
        body: ImportForm,
        response: { 200: ImportResult, ...errors(400, 401, 413, 415, 422, 503) },
      },
      validatorCompiler: checkedByHandler,
    },
    async (request) => {
      const { kind, file } = toImport(await readForm(request))
      return business.importRecords(kind, file)
    },
  )
}

function toImport({ file, fields }: UploadedForm) {
  const kind = IMPORT_KINDS.find((known) => known === fields.kind?.trim())
  if (!kind) throw new AppError('invalid', 'validation', `kind: must be one of ${IMPORT_KINDS.join(', ')}`)
  if (!file) throw new AppError('invalid', 'validation', 'file: is required')
  return { kind, file: { ...file, name: file.name.split(/[/\\]/).at(-1) ?? '' } }
}
