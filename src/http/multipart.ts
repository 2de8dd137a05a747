import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import type { App } from './server.ts'

export interface UploadedForm {
  file: { name: string; bytes: Buffer } | undefined
  fields: Record<string, string>
}

const MAX_FIELD_BYTES = 64 * 1024
const MAX_FIELDS = 50

/** Adds multipart/form-data to the routes of `app`. */
export async function acceptUploads(app: App, maxUploadMb: number): Promise<void> {
  await app.register(multipart, {
    limits: {
      fileSize: maxUploadMb * 1024 * 1024,
      files: 1,
      fields: MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      parts: MAX_FIELDS + 1,
      headerPairs: 100,
    },
    throwFileSizeLimit: true,
  })
}

/** Reads a form with one file, whatever the order of its parts. Throws invalid, too_large or unsupported_media. */
export async function readForm(request: FastifyRequest): Promise<UploadedForm> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_media', 'media_type', 'The request must be multipart/form-data')
  }
  const form: UploadedForm = { file: undefined, fields: {} }
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      const bytes = await part.toBuffer()
      if (part.fieldname !== 'file') throw unexpectedFile(part.fieldname)
      form.file = { name: part.filename ?? '', bytes }
    } else {
      if (part.valueTruncated)
        throw new AppError('too_large', 'field_too_large', `${part.fieldname}: the value is too large`)
      form.fields[part.fieldname] = String(part.value)
    }
  }
  return form
}

function unexpectedFile(fieldName: string): AppError {
  return new AppError('invalid', 'file_field', `${fieldName.slice(0, 100)}: the file must be in the field "file"`)
}

/** For routes that read a form themselves: their body schema only describes it on the API pages. */
export const checkedByHandler = () => (value: unknown) => ({ value })
