import { hash } from 'node:crypto'
import { once } from 'node:events'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import { watchFileNames } from './file-names.ts'
import { Replay } from './idempotency.ts'
import type { App } from './server.ts'

export interface UploadedForm {
  file: { name: string; bytes: Buffer } | undefined
  fields: Record<string, string>
}

const MAX_FIELD_BYTES = 64 * 1024
const MAX_FIELDS = 50
const MEGABYTE = 1024 * 1024
/** Room for what a form holds beside its file. */
const MAX_OVERHEAD_BYTES = MAX_FIELDS * MAX_FIELD_BYTES + MEGABYTE
const MEDIA_TYPE = 'multipart/form-data'

/** Adds multipart/form-data to those routes of `app` whose schema says that they consume it. */
export async function acceptUploads(app: App, maxUploadMb: number): Promise<void> {
  await app.register(multipart, {
    limits: {
      fileSize: maxUploadMb * MEGABYTE,
      files: 1,
      fields: MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      parts: MAX_FIELDS + 1,
      headerPairs: 100,
    },
    throwFileSizeLimit: true,
  })
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return
    if (!request.routeOptions.schema?.consumes?.includes(MEDIA_TYPE)) {
      throw new AppError('unsupported_media', 'media_type', 'The Content-Type is not supported here')
    }
    if (Number(request.headers['content-length']) > maxUploadMb * MEGABYTE + MAX_OVERHEAD_BYTES) {
      throw new AppError('too_large', 'upload', `file: the file is larger than ${maxUploadMb} MiB`)
    }
  })
}

/** Reads a form with one file, whatever the order of its parts. Throws invalid, too_large or unsupported_media. */
export async function readForm(request: FastifyRequest): Promise<UploadedForm> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_media', 'media_type', `The request must be ${MEDIA_TYPE}`)
  }
  try {
    const form = await collectParts(request)
    await request.idempotency?.claim({
      file: form.file && [form.file.name, hash('sha256', form.file.bytes)],
      fields: form.fields,
    })
    return form
  } catch (error) {
    // The rest of the body must flow, or this connection serves no further request.
    request.raw.unpipe()
    request.raw.resume()
    throw asRefusal(error)
  }
}

async function collectParts(request: FastifyRequest): Promise<UploadedForm> {
  const form: UploadedForm = { file: undefined, fields: {} }
  const originalName = watchFileNames(request.raw)
  for await (const part of request.parts()) {
    const field = nameOf(part.fieldname)
    if (part.type === 'file') {
      if (field !== 'file') throw invalid(field, 'the file must be in the field "file"')
      form.file = { bytes: await readBytes(part), name: originalName(part.filename ?? '') }
    } else {
      if (part.valueTruncated) throw new AppError('too_large', 'field_too_large', `${field}: the value is too large`)
      form.fields[field] = textOf(field, part.value)
    }
  }
  return form
}

/** Refuses at the limit, where the parser would read on to the end of the part. */
async function readBytes(part: MultipartFile): Promise<Buffer> {
  if (part.file.truncated) throw tooLarge()
  const reachesLimit = once(part.file, 'limit').then(() => {
    throw tooLarge()
  })
  return Promise.race([part.toBuffer(), reachesLimit])
}

function tooLarge(): AppError {
  return new AppError('too_large', 'upload', 'file: the file is too large')
}

/** The parser's type says string, and yet a part may come without a name. */
function nameOf(fieldName: string | undefined): string {
  if (fieldName === undefined || fieldName === '') throw invalid('form', 'a part has no name')
  return fieldName.slice(0, 100)
}

function textOf(field: string, value: unknown): string {
  // A part that calls itself JSON arrives parsed.
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.includes('\u0000')) throw invalid(field, 'must not contain the character U+0000')
  return text
}

function invalid(field: string, reason: string): AppError {
  return new AppError('invalid', 'form', `${field}: ${reason}`)
}

/** The parser reports what is wrong with the form as plain errors; ours and those of the limits have a code. */
function asRefusal(error: unknown): unknown {
  if (error instanceof AppError || error instanceof Replay || typeof (error as { code?: unknown }).code === 'string')
    return error
  return new AppError('invalid', 'multipart', 'The form data is malformed', { cause: error })
}

/** For routes that read a form themselves: their body schema only describes it on the API pages. */
export const checkedByHandler = () => (value: unknown) => ({ value })
