import { hash } from 'node:crypto'
import { once } from 'node:events'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import { watchFileNames } from './file-names.ts'
import { Replay } from './idempotency.ts'
import type { App } from './server.ts'

export interface UploadedFile {
  name: string
  bytes: Buffer
}

export interface UploadedForm {
  file: UploadedFile | undefined
  fields: Record<string, string>
}

export interface UploadedForms {
  files: UploadedFile[]
  fields: Record<string, string>
}

/** Bounds of a form of several files. */
interface FormLimits {
  maxFiles: number
  /** Of all files together. */
  maxBytes: number
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
  const { files, fields } = await readParts(request, { maxFiles: 1, maxBytes: Number.POSITIVE_INFINITY })
  const [file] = files
  await request.idempotency?.claim({ file: file && fingerprintOf(file), fields })
  return { file, fields }
}

/** Reads a form with several files, all in the field `file`. Throws as `readForm` does. */
export async function readForms(request: FastifyRequest, limits: FormLimits): Promise<UploadedForms> {
  const form = await readParts(request, limits)
  await request.idempotency?.claim({ files: form.files.map(fingerprintOf), fields: form.fields })
  return form
}

function fingerprintOf({ name, bytes }: UploadedFile): [string, string] {
  return [name, hash('sha256', bytes)]
}

async function readParts(request: FastifyRequest, limits: FormLimits): Promise<UploadedForms> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_media', 'media_type', `The request must be ${MEDIA_TYPE}`)
  }
  try {
    return await collectParts(request, limits)
  } catch (error) {
    // The rest of the body must flow, or this connection serves no further request.
    request.raw.unpipe()
    request.raw.resume()
    if (limits.maxFiles > 1 && (error as { code?: unknown }).code === 'FST_FILES_LIMIT') {
      throw new AppError('too_large', 'files', `file: at most ${limits.maxFiles} files at a time`)
    }
    throw asRefusal(error)
  }
}

async function collectParts(request: FastifyRequest, { maxFiles, maxBytes }: FormLimits): Promise<UploadedForms> {
  const form: UploadedForms = { files: [], fields: {} }
  const originalName = watchFileNames(request.raw)
  let bytes = 0
  for await (const part of request.parts({ limits: { files: maxFiles, parts: MAX_FIELDS + maxFiles } })) {
    const field = nameOf(part.fieldname)
    if (part.type === 'file') {
      if (field !== 'file') throw invalid(field, 'the file must be in the field "file"')
      const file = { bytes: await readBytes(part), name: originalName(part.filename ?? '') }
      bytes += file.bytes.length
      if (bytes > maxBytes) throw new AppError('too_large', 'upload', 'file: the files are too large together')
      form.files.push(file)
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
